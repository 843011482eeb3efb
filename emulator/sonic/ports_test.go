package sonic

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// mixed is a configuration whose ports differ: two of four mark class 3, one marks class 4 with other thresholds, one
// has a STRICT queue for CNPs and a watchdog, one has another alpha and headroom.
func mixed(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/mixed.json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Ports that differ keep their settings: in the plan, on the way back, and onto the file, in which nothing changes.
func TestPortsThatDiffer(t *testing.T) {
	imported, err := Import("mixed.json", mixed(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range imported.Lines {
		if l.Verdict == conversion.Approximated {
			t.Errorf("approximated: %+v", l)
		}
	}
	p, err := planOf(imported.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	type of struct {
		marks3, marks4, strict6, watched bool
		alpha                            float64
		headroom                         unit.Bytes
		weight4                          int
	}
	var got []of
	for port := range 4 {
		s := p.Switches[0].Profile.OfPort(port)
		got = append(got, of{
			marks3:   s.ECN[3].Enabled,
			marks4:   s.ECN[4].Enabled,
			strict6:  s.Strict[6],
			watched:  s.Watchdog.Enabled,
			alpha:    s.Alpha,
			headroom: s.Headroom,
			weight4:  s.Weight[4],
		})
	}
	want := []of{
		{true, false, true, true, 1, 71000, 1},
		{true, false, false, false, 1, 71000, 1},
		{false, false, false, false, 1, 71000, 1},
		{false, true, false, false, 0.5, 140000, 14},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
	exported := back(t, imported)
	givesBack(t, imported, exported)
	stable(t, imported, exported)
	out, lines := onto(t, mixed(t))
	if !reflect.DeepEqual(treeOf(t, out), treeOf(t, mixed(t))) || len(lines) > 0 {
		t.Errorf("%v\n%s", lines, out)
	}
}

// What a scenario changes of one port is changed in the file for that port and no other.
func TestOntoChangesOnePort(t *testing.T) {
	_, lines := onto(t, mixed(t), "strict: [6]", "strict: [5, 6]",
		"watchdog: {enabled: true, detect: 200ms", "watchdog: {enabled: true, detect: 300ms")
	var paths []string
	for _, l := range lines {
		if !strings.HasPrefix(l.Path, "/SCHEDULER/") {
			paths = append(paths, l.Path)
		}
	}
	slices.Sort(paths)
	want := []string{"/PFC_WD/Ethernet0/detection_time", "/QUEUE/Ethernet0|5/scheduler"}
	if !slices.Equal(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
}
