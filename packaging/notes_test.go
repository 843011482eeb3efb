package main

import (
	"strings"
	"testing"
)

const log = "# Changelog\n\nWords.\n\n## Unreleased\n\n### Added\n\n- New.\n\n" +
	"## [0.2.0] - 2027-01-01\n\n- Two.\n\n## 0.1.0\n\n- One.\n"

// A release has the section of its version, a commit between tags the unreleased section, and a release that the log
// does not name is an error.
func TestNotes(t *testing.T) {
	for version, want := range map[string]string{
		"0.1.0":                               "- One.",
		"0.2.0":                               "- Two.",
		"0.0.0-20261122140942-de0e01cfba33":   "### Added\n\n- New.",
		"0.2.1-0.20261122140942-de0e01cfba33": "### Added\n\n- New.",
	} {
		text, err := notes(log, version)
		if err != nil || !strings.HasPrefix(text, "# rocelab "+version+"\n") ||
			!strings.HasSuffix(text, "SHA256SUMS\n\n"+want+"\n") {
			t.Errorf("%s: %v\n%s", version, err, text)
		}
	}
	if _, err := notes(log, "0.3.0"); err == nil || !strings.Contains(err.Error(), `no section "0.3.0"`) {
		t.Errorf("0.3.0: %v", err)
	}
}

// The installer has a version to put in, and names the archive as packaging does.
func TestInstallerHasAPlaceForTheVersion(t *testing.T) {
	if strings.Count(installer, "version='@VERSION@'") != 1 {
		t.Error("install.sh has no line version='@VERSION@'")
	}
	for _, part := range []string{"name=rocelab-$version-$system$arch", homepage + "/releases/download/v$version"} {
		if !strings.Contains(installer, part) {
			t.Errorf("install.sh has not %s", part)
		}
	}
}
