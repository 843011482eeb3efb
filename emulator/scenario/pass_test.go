package scenario

import (
	"slices"
	"testing"
)

// Every pass stands behind those that it needs, once, and has a name of its own.
func TestPassesFollowWhatTheyNeed(t *testing.T) {
	names := map[string]bool{}
	for i, pass := range passes {
		if names[pass.name] {
			t.Errorf("two passes have the name %q", pass.name)
		}
		names[pass.name] = true
		for _, needed := range pass.after {
			if at := slices.Index(passes, needed); at < 0 || at >= i {
				t.Errorf("%s is pass %d, and needs %s, which is pass %d", pass.name, i, needed.name, at)
			}
		}
	}
}
