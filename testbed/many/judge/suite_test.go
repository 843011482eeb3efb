package judge

import (
	"slices"
	"strings"
	"testing"
)

// Each check has its turn, the handshake the first.
func TestEveryCheckHasItsTurn(t *testing.T) {
	listed, all := strings.Fields(cheap+" "+costly), checkNames()
	if listed[0] != "handshake" {
		t.Errorf("%s has the first turn", listed[0])
	}
	slices.Sort(listed)
	slices.Sort(all)
	if !slices.Equal(listed, all) {
		t.Errorf("turns are of %v, checks are %v", listed, all)
	}
	var names []string
	for _, i := range turns(checks) {
		names = append(names, checks[i].Name)
	}
	if want := strings.Fields(cheap + " " + costly); !slices.Equal(names, want) {
		t.Errorf("turns are %v, want %v", names, want)
	}
}
