package scenario

import (
	"strings"
	"testing"
)

// Messages between groups have the requested code point; shortfalls of their class against the other messages' are
// reported, once for each kind.
func TestCrossClass(t *testing.T) {
	const classes, lossless, marked = "classes: {dscp: {34: 4}}", "pfc: {lossless: [3, 4]}", "ecn: {classes: [3, 4]}"
	for _, x := range []struct {
		dscp, more string
		warnings   []string
	}{
		{"", "", nil},
		{"cross_dscp: 34", "switch: {" + classes + ", " + lossless + ", " + marked + "}", nil},
		{"cross_dscp: 34", "switch: {" + lossless + ", " + marked + "}", []string{
			"job: cross_dscp is 34, which is class 0 at a-leaf0: it is not lossless, and class 3 of the other messages is; " +
				"see switch.pfc.lossless",
			"class 0 at a-leaf0: it is not marked, and class 3 of the other messages is; see switch.ecn"}},
		{"cross_dscp: 34", "switch: {" + classes + ", pfc: {enabled: false}, " + marked + "}", nil},
		{"cross_dscp: 34", "switch: {" + classes + ", " + lossless + "}", []string{"class 4 at a-leaf0: it is not marked"}},
		{"cross_dscp: 26", "", []string{"job: cross_dscp is 26, which is class 3 at a-h0, as DSCP 26 of the other " +
			"messages: they have the same class there"}},
		{"dscp: 34, cross_dscp: 35", "switches: {a-leaf1: {classes: {dscp: {35: 5}}}}", []string{"class 0 at a-h0"}},
		{"cross_dscp: 34", "switch: {classes: {dscp: {34: 4}, queues: {4: 3}}, " + lossless + ", " + marked + "}",
			[]string{"class 4 at a-leaf0, in queue 3 as class 3 of the other messages: a pause of one stops both there"}},
		{"cross_dscp: 34", "nic: {dscp: {26: 3, 34: 2}}\nswitch: {" + classes + ", " + lossless + ", " + marked + "}",
			[]string{"class 2 at a-h0 and class 4 at its switch: a pause by the switch names a class that the NIC " +
				"does not send"}},
	} {
		planned := plansOf(t, `
algorithm: none
topology: {kind: two-dc, scale: 1/64}
traffic:
  - {name: job, operation: all-reduce, method: hierarchical, groups: 2, size: 64kB, `+x.dscp+`}
`+x.more+"\n")[0]
		warnings := Analyse(planned, nil).Warnings
		if len(warnings) != len(x.warnings) {
			t.Errorf("%s; %s: warns %q, want %q", x.dscp, x.more, warnings, x.warnings)
			continue
		}
		for i, want := range x.warnings {
			if !strings.Contains(warnings[i], want) {
				t.Errorf("%s; %s: warns %q, want %q", x.dscp, x.more, warnings[i], want)
			}
		}
		crossing := 0
		for i := range planned.Flows {
			if f := &planned.Flows[i]; planned.NICs[f.Src].Name[0] != planned.NICs[f.Dst].Name[0] {
				crossing++
			} else if f.DSCP == 35 || f.DSCP == 34 && !strings.HasPrefix(x.dscp, "dscp") {
				t.Errorf("%s: %s has DSCP %d", x.dscp, f.Name, f.DSCP)
			}
		}
		if crossing != 16 {
			t.Errorf("%d flows between groups", crossing)
		}
	}
}
