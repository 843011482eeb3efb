package conversion

import (
	"encoding/json"
	"slices"
	"testing"
)

// Lines of ports and of numbers form one group, for any values; another verdict or note forms another group. Tier:
// -short.
func TestGroups(t *testing.T) {
	lines := []Line{
		{Path: "/PORT/Ethernet0/lanes", Verdict: Absent, Was: "0,1"},
		{Path: "/PORT/Ethernet4/lanes", Verdict: Absent, Was: "4,5"},
		{Path: "/PORT/Eth1~11/lanes", Verdict: Absent, Was: "4,5"},
		{Path: "/PORT/Ethernet8/lanes", Verdict: Absent, Was: "8,9", Note: "down"},
		{Path: "/QUEUE/Ethernet0,Ethernet4|3-4/scheduler", Was: "s"},
		{Path: "/QUEUE/Ethernet0,Ethernet8|5/scheduler", Was: "s"},
		{Path: "/SCHEDULER/scheduler.0/weight", Was: "1"},
		{Path: "/SCHEDULER/scheduler.1/weight", Verdict: Approximated, Was: "1", Is: "2"},
		{Path: "/PORT", Verdict: Approximated, Is: "4 ports"},
	}
	want := []struct {
		path   string
		lines  int
		values []string
	}{
		{"/PORT/*/lanes", 3, []string{"0,1"}},
		{"/PORT/Ethernet8/lanes", 1, []string{"8,9"}},
		{"/QUEUE/*,*|*/scheduler", 2, []string{"s"}},
		{"/SCHEDULER/scheduler.0/weight", 1, []string{"1"}},
		{"/SCHEDULER/scheduler.1/weight", 1, []string{"1 -> 2"}},
		{"/PORT", 1, []string{"4 ports"}},
	}
	groups := Groups(lines)
	if len(groups) != len(want) {
		t.Fatalf("%d groups", len(groups))
	}
	for i, g := range groups {
		values, left := g.Values(1)
		if g.Path != want[i].path || len(g.Lines) != want[i].lines || !slices.Equal(values, want[i].values) {
			t.Errorf("%s: %d lines, %v, %d left", g.Path, len(g.Lines), values, left)
		}
		if (left > 0) != (i == 0) || left > 1 {
			t.Errorf("%s: %d left", g.Path, left)
		}
	}
}

// The ports of a group are the distinct ports of all its lines, as far as there is room.
func TestPortsOfAGroup(t *testing.T) {
	g := Group{Lines: []Line{
		{Path: "/QUEUE/Ethernet0,Ethernet4|3-4/scheduler"},
		{Path: "/QUEUE/Ethernet4|5/scheduler"},
		{Path: "/PORT_QOS_MAP/Eth1~12~13/pfc_enable"},
		{Path: "/PFC_WD/Ethernet8/action"},
	}}
	if ports, more := g.Ports(3); !slices.Equal(ports, []string{"Ethernet0", "Ethernet4", "Eth1/2/3"}) || more != 1 {
		t.Errorf("%v and %d more", ports, more)
	}
}

// A verdict is a word in JSON.
func TestVerdictInJSON(t *testing.T) {
	text, err := json.Marshal(Line{Path: "/A", Verdict: Absent})
	if err != nil || string(text) != `{"path":"/A","verdict":"no counterpart","was":"","is":"","note":""}` {
		t.Errorf("%s, %v", text, err)
	}
}
