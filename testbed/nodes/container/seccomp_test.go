package container

import (
	"slices"
	"testing"

	profile "github.com/moby/profiles/seccomp"
	"github.com/opencontainers/runtime-spec/specs-go"
)

// TestCallsAreOfTheDefaultProfile holds the list to that of the container engines: what
// these keep from a container, a plugin does not get either.
func TestCallsAreOfTheDefaultProfile(t *testing.T) {
	engines, err := profile.GetDefaultProfile(&specs.Spec{Process: &specs.Process{
		Capabilities: &specs.LinuxCapabilities{Bounding: rights},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var allowed []string
	for _, rule := range engines.Syscalls {
		if rule.Action == specs.ActAllow {
			allowed = append(allowed, rule.Names...)
		}
	}
	if len(allowed) < 300 {
		t.Fatalf("the default profile allows %d calls: it is read wrongly", len(allowed))
	}
	seen := map[string]bool{}
	for _, c := range append(slices.Clone(calls), ruled.clone, ruled.socket, ruled.socketpair) {
		if !slices.Contains(allowed, c.name) {
			t.Errorf("%s is not in the default profile", c.name)
		}
		if seen[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		seen[c.name] = true
	}
}

// TestFilterFits goes by BPF_MAXINSNS of the kernel.
func TestFilterFits(t *testing.T) {
	if n := len(filter()); n > 4096 {
		t.Errorf("%d instructions, the kernel takes 4096", n)
	}
}
