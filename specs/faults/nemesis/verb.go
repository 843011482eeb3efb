//go:build linux

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// verbs are the forms that are commands on the folder of a run that is there already, and muteForm is a run whose
// plugin never shakes hands.
var verbs = []string{"rerun", "rerun-pack", "pack", "diff", "sweep", "report", "view", "capture", muteForm}

// muteForm is the run whose plugin never shakes hands.
const muteForm = "mute"

// isVerb reports whether the form is one of verbs.
func (c *Case) isVerb() bool { return slices.Contains(verbs, c.Form) }

// waits reports whether the command ends by itself only if it is asked to.
func (c *Case) waits() bool { return c.Form == "view" || c.Form == "capture" || c.Form == muteForm }

// verb is the bed of a case whose form is one of verbs.
type verb struct{ *bed }

// before makes what a verb works on: the folder of a run, its pack, a plugin that is mute.
func (b verb) before() error {
	if !b.isVerb() {
		return nil
	}
	for _, args := range [][]string{
		{"run", b.path("nemesis.yaml"), "--progress", "none", "--out", b.out() + "/run"},
		{"pack", b.out() + "/run", "--out", b.out() + "/run.zip"},
	} {
		if j, code, err := b.do(args...); err != nil || code != 0 {
			return fmt.Errorf("%q, undisturbed, ended with %d, %v", args, code, errors.Join(err, j.fault()))
		}
	}
	if b.Form == muteForm {
		if err := os.MkdirAll(b.path("mute"), 0o755); err != nil {
			return err
		}
		text := "#!/bin/sh\nwhile :; do sleep 1; done\n"
		return os.WriteFile(b.path("mute/cc-"+muteForm), []byte(text), 0o755)
	}
	return nil
}

// fault returns a command's output on stderr, nil for one that was not started.
func (j *job) fault() error {
	if j == nil {
		return nil
	}
	return errors.New(j.err.String())
}

// line is the command line of the form.
func (b verb) line() []string {
	run, pack, made := b.out()+"/run", b.out()+"/run.zip", b.out()+"/made"
	switch b.Form {
	case "rerun":
		return []string{"rerun", run, "--format", "json", "--progress", "none"}
	case "rerun-pack":
		return []string{"rerun", pack, "--format", "json", "--progress", "none"}
	case "pack":
		return []string{"pack", run, "--out", made, "--force"}
	case "diff":
		return []string{"diff", run, pack, "--format", "json"}
	case "sweep":
		return []string{"sweep", b.path("nemesis.yaml"), "--grid", "traffic.size=100KB,200KB", "--seeds", "2", "--out", made,
			"--progress", "none"}
	case "report":
		return []string{"report", run, "-o", made}
	case "view":
		return []string{"view", b.out()}
	case "capture":
		return []string{"capture", "h0", "--testbed", b.name, "-w", made}
	}
	return []string{"run", b.path("nemesis.yaml"), "--progress", "none", "--no-folder", "--algorithm", muteForm,
		"--plugin-dir", b.path("mute"), "--plugin-start", "10m"}
}

// outcome returns the result of a verb: its output, and the file or table. Two equal actions have equal results.
func (b verb) outcome(j *job) (string, error) {
	made := b.out() + "/made"
	switch b.Form {
	case "rerun", "rerun-pack", "diff":
		return j.out.String(), nil
	case "sweep":
		table, code, err := b.do("sweep", "table", made, "--format", "csv")
		if err != nil || code != 0 {
			return "", fmt.Errorf("the table of the sweep ended with %d, %w", code, errors.Join(err, table.fault()))
		}
		return table.out.String(), nil
	case "pack", "report":
		text, err := os.ReadFile(made)
		sum := sha256.Sum256(text)
		return hex.EncodeToString(sum[:]), err
	}
	return "", nil
}

// expected returns the result of an undisturbed verb; it takes that away again.
func (b verb) expected() (string, error) {
	if b.waits() {
		return "", nil
	}
	j, code, err := b.do(b.line()...)
	if err != nil || code != 0 {
		return "", fmt.Errorf("%q, undisturbed, ended with %d, %v", b.line(), code, errors.Join(err, j.fault()))
	}
	made, err := b.outcome(j)
	return made, errors.Join(err, os.RemoveAll(b.out()+"/made"))
}

// judgeAgain compares the result of a disturbed verb with the undisturbed one, and repeats it: the remains of a fault
// must not be in the way of a later command.
func (b verb) judgeAgain(r *Result, hung error, expected string) error {
	if hung != nil || b.waits() {
		return nil
	}
	if r.Code == 0 {
		if made, err := b.outcome(b.command); err != nil || made != expected {
			r.wrong(wrongTrace, "%q instead of %q, %v", made, expected, err)
		}
	}
	for _, path := range b.mounts { // a disk that was filled has room again
		os.Remove(filepath.Join(path, ballast))
	}
	again, err := b.expected()
	switch {
	case errors.Is(err, errStopped):
		return err
	case err != nil:
		r.wrong(wrongLeft, "in the way of the next: %v", err)
	case again != expected:
		r.wrong(wrongTrace, "the next time %q instead of %q", again, expected)
	}
	parts, err := filepath.Glob(b.out() + "/*.part")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(parts) > 0 {
		r.wrong(wrongLeft, "%s", strings.Join(parts, "\n"))
	}
	return nil
}
