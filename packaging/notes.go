package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Files that a release has once, for all targets.
const (
	installerName = "install.sh"
	notesName     = "NOTES.md"
)

//go:embed install.sh
var installer string

// writeCommon writes the files common to all targets: the wheel, the installer and the notes.
func (r *release) writeCommon(made string) error {
	log, err := os.ReadFile(filepath.Join(r.dir, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	text, err := notes(string(log), r.version())
	if err != nil {
		return err
	}
	if _, err := r.writeWheel(r.version(), made); err != nil {
		return err
	}
	script := strings.ReplaceAll(installer, "@VERSION@", r.version())
	if err := os.WriteFile(filepath.Join(made, installerName), []byte(script), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(made, notesName), []byte(text), 0o644)
}

// pseudo matches the version of a commit that no tag names.
var pseudo = regexp.MustCompile(`\d{14}-[0-9a-f]{12}(\+.*)?$`)

// notes are the notes of a release: how to install it, and the section of its version in the log of
// changes, or Unreleased at a commit between tags. A release without a section is an error.
func notes(log, version string) (string, error) {
	section := version
	if pseudo.MatchString(version) {
		section = "Unreleased"
	}
	for part := range strings.SplitSeq("\n"+log, "\n## ") {
		title, body, _ := strings.Cut(part, "\n")
		if name := strings.Fields(title); len(name) == 0 || strings.Trim(name[0], "[]") != section {
			continue
		}
		return fmt.Sprintf(installed, version, strings.TrimSpace(body)), nil
	}
	return "", fmt.Errorf("CHANGELOG.md has no section %q: a release is noted there as \"## %s - DATE\"", section, section)
}

const installed = `# rocelab %s

On Linux and macOS:

    curl -fsSL ` + homepage + `/releases/latest/download/install.sh | sh

Or take the file for your system below, and check it: sha256sum --check --ignore-missing SHA256SUMS

%s
`
