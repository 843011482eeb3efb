package model_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/determinism/fingerprint"
	"github.com/rocelab/rocelab/testbed/model"
)

// Each version of the models has the rule that changed with it, in a sentence of its own.
func TestEveryVersionHasItsRule(t *testing.T) {
	seen := map[string]bool{}
	for version := 1; version <= model.Version; version++ {
		rule := model.Rule(version)
		if len(strings.Fields(rule)) < 5 || !strings.HasSuffix(rule, ".") || seen[rule] {
			t.Errorf("version %d: %q is no sentence that names what changed", version, rule)
		}
		seen[rule] = true
	}
	if rule := model.Rule(model.Version + 1); rule != "" {
		t.Errorf("version %d is not there yet, and has %q", model.Version+1, rule)
	}
}

// Stored traces equal the traces of the last commit and of the one before it, unless the models' version is newer: a
// file edited by hand, too, needs a new version.
func TestStoredTracesChangeWithTheVersion(t *testing.T) {
	compared := 0
	for _, path := range []string{store.Path, "../../specs/determinism/fingerprint/testdata/traces.txt"} {
		t.Run(path, func(t *testing.T) {
			stored := fingerprint.Store{Path: path}
			for _, commit := range []string{"HEAD", "HEAD~1"} {
				text, err := exec.Command("git", "show", commit+":./"+path).Output()
				if err != nil {
					continue // no repository, or none so deep
				}
				compared++
				if changed, err := stored.ChangedSince(bytes.TrimSpace(text)); err != nil || len(changed) > 0 {
					t.Errorf("%v; %s has other traces than %s, of the same version of the models, of\n  %s\nIf that is meant, raise "+
						"Version in version.go and add the rule that changed to its table", err, path, commit,
						strings.Join(changed, "\n  "))
				}
			}
		})
	}
	if compared == 0 {
		t.Skip("needs git and a repository")
	}
}
