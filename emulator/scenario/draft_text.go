package scenario

import (
	"fmt"
	"strings"
)

// draftWriter writes the lines of a draft.
type draftWriter struct{ strings.Builder }

// commentColumn is where comments behind lines begin.
const commentColumn = 24

// line writes a line, and behind it a comment if there is one.
func (w *draftWriter) line(text, comment string) {
	if comment != "" {
		text = fmt.Sprintf("%-*s # %s", commentColumn-3, text, comment)
	}
	w.WriteString(text + "\n")
}

func (w *draftWriter) head(name string) {
	fmt.Fprintf(w, `# Written by rocelab new: a scenario to start from; everything may be changed.
#
#   rocelab validate %[1]s.yaml     # derived values: bounds, base RTT, BDP, thresholds
#   rocelab run %[1]s.yaml          # verdict, table and a page with pictures
#
# All keys with their defaults: docs/scenarios.md, and rocelab schema for editors.
name: %[1]s

`, name)
}

func (w *draftWriter) topology(d *drafted) {
	w.line("topology:", "")
	w.line("  kind: "+d.Topology, "")
	switch {
	case d.PerLeaf > 0:
		w.line(fmt.Sprintf("  leaves: %d", d.Leaves), "")
		w.line(fmt.Sprintf("  spines: %d", d.PerLeaf), "as many uplinks as hosts at a leaf; fewer oversubscribe the leaves")
		w.line(fmt.Sprintf("  hosts_per_leaf: %d", d.PerLeaf), "")
	case d.K > 0:
		w.line(fmt.Sprintf("  k: %d", d.K), "ports of a switch")
	default:
		w.line(fmt.Sprintf("  hosts: %d", d.Hosts), "")
	}
	w.line(fmt.Sprintf("  rate: %v", d.Rate), "of every link")
	w.line("  latency: 1us", "of every link: 200 m of fibre")
}

func (w *draftWriter) traffic(d *drafted) {
	w.line("\ntraffic:", "")
	length := fmt.Sprintf("about %v at line rate", d.Length)
	for i := range d.Traffic {
		job := &d.Traffic[i]
		w.line("  - name: "+job.Name, "")
		switch {
		case job.Collective():
			w.line("    kind: collective", "")
			w.line("    operation: "+job.Kind, "")
			w.line(fmt.Sprintf("    hosts: h%d..h%d", job.First, job.Last), "")
			w.line(fmt.Sprintf("    size: %v", job.Size), length)
			w.line("    iterations: 1", "")
		case job.Kind == "incast":
			w.line("    kind: incast", "")
			w.line(fmt.Sprintf("    senders: %d", job.Last), "")
			w.line(fmt.Sprintf("    receiver: h%d", job.Last), "")
			w.line(fmt.Sprintf("    size: %v", job.Size), "from each sender, "+length)
		default:
			w.line("    kind: poisson", "")
			w.line("    load: 0.3", "of the line rate of each host")
			w.line("    distribution: web-search", "")
			w.line(fmt.Sprintf("    until: %v", d.Length), "")
		}
	}
}

func (w *draftWriter) rest(d *drafted) {
	w.line("\nexpect:", "")
	if d.Incast {
		w.line("  congestion: required", "a run without any would prove nothing")
	}
	w.line("  checks:\n    - drops == 0\n    - incomplete == 0\n", "")
	if len(d.Algorithms) == 1 {
		w.line("algorithm: "+d.Algorithms[0], "")
		return
	}
	w.line("variants:", "a run each, compared side by side")
	for _, name := range d.Algorithms {
		w.line(fmt.Sprintf("  - {name: %s, algorithm: %[1]s}", name), "")
	}
}
