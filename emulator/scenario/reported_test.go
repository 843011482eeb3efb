package scenario

import (
	"fmt"
	"testing"
)

func init() {
	onUnreported = func(at position) { panic(fmt.Sprintf("%s:%d:%d: refused in silence", at.File, at.Line, at.Column)) }
}

// What gives up because something was refused when it was read may not give up in
// silence. Each of these is refused somewhere, or its plan is whole.
func TestNoSilentRefusal(t *testing.T) {
	const star, entry = "topology: {kind: star, hosts: 4}\n", "traffic: [{kind: incast, size: 1MB}]\n"
	for _, src := range []string{
		"algorithm: ''\n" + star + entry,
		"algorithm: {name: ''}\n" + star + entry,
		"algorithm: {name: x}\nalgorithms: {x: {name: ''}}\n" + star + entry,
		"algorithm: {name: x}\nalgorithms: {x: ''}\n" + star + entry,
		"algorithm: {name: x}\nalgorithms: {x: {params: {}}}\n" + star + entry,
		"algorithm: [dcqcn]\n" + star + entry,
		"algorithm:\n" + star + entry,
		"algorithm: dcqcn\n" + star + "traffic: [{from: [], to: h1, size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{from: '', to: h1, size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{from: {}, to: h1, size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{to: h1, size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{from: , to: h1, size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: incast, senders: [], size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: incast, receiver: [], size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: incast, senders: [], draw: 2, size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: permutation, hosts: [], size: 1MB}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: incast, start: 2ms, stop: 1ms}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: incast, start: 2ms, until: 1ms, size: 1MB, period: 1ms}]\n",
		"algorithm: dcqcn\n" + star +
			"traffic: [{kind: incast, start: 2ms, until: 2ms, size: 1MB, period: 1ms}]\nrun: {until: 2ms}\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: incast, load: 0.1, until: 1ms}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: incast, load: 0.1, until: 1ms, size: 0B}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: poisson, load: 2, until: 1ms, distribution: web-search}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: poisson, until: 1ms, distribution: web-search}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: poisson, load: 0.1, until: 1ms}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: poisson, load: 0.1, until: 1ms, distribution: nothing}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: collective, operation: all-reduce}]\n",
		"algorithm: dcqcn\n" + star + "traffic: [{kind: collective, size: 1MB}]\n",
		"algorithm: dcqcn\n" + star +
			"traffic: [{kind: collective, size: 1MB, operation: all-reduce, compute: 1us, stragglers: []}]\n",
		"algorithm: dcqcn\n" + star +
			"traffic: [{kind: collective, size: 1MB, operation: all-reduce, compute: 1us, stragglers: {h1: " +
			"0}}]\n",
		"algorithm: dcqcn\n" + star +
			"traffic: [{kind: collective, size: 1MB, operation: all-reduce, compute: 1us, stragglers: {h1: }}]\n",
		"algorithm: dcqcn\ntopology: {kind: star, hosts: 1}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: fat-tree, k: 3}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: fat-tree, k: 0}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: fat-tree, hosts: 17}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: fat-tree, k: }\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: pc4-testbed, spines: 3}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: pc4-testbed, spines: 0}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: pc4-testbed, nics_per_server: 65}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: ''}\n" + entry,
		"algorithm: dcqcn\ntopology: {kind: [star]}\n" + entry,
		"algorithm: dcqcn\ntopology: {}\n" + entry,
		"algorithm: dcqcn\ntopology: []\n" + entry,
		"algorithm: dcqcn\ntopology:\n" + entry,
		"algorithm: dcqcn\ntopology: &a {kind: star}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: []}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [], links: []}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: []}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: [{}]}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: [{endpoints: [a]}]}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: [{endpoints: [a, ' ']}]}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{}, {name: b}], links: [{endpoints: [a, b]}]}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: [{endpoints: [a, b], wan: {}}]}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: [{endpoints: [a, b], wan: []}]}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: [{endpoints: [a, b], wan: {length: " +
			"1km, timeline: [{flap: 1us}]}}]}\n" + entry,
		"algorithm: dcqcn\ntopology: {nodes: [{name: a}, {name: b}], links: [{endpoints: [a, b], wan: {length: " +
			"1km, timeline: [{at: 0s, flap: 1us}]}}]}\n" + entry,
		"algorithm: dcqcn\n" + star + entry + "switch: {buffer: 1MB, pfc: {headroom: 2MB}}\n",
		"algorithm: dcqcn\n" + star + entry + "switches: {s0: {buffer: 1MB, pfc: {headroom: 2MB}}}\n",
		"algorithm: dcqcn\n" + star + entry + "switches: {s0: {buffer: 1MB}}\nswitch: {pfc: {headroom: 2MB}}\n",
		"algorithm: dcqcn\n" + star + entry + "faults: [{link: , loss: 0.1}]\n",
		"algorithm: dcqcn\n" + star + entry + "faults: [{link: '', loss: 0.1}]\n",
		"algorithm: dcqcn\n" + star + entry + "faults: [{host: '', from: 1ms}]\n",
		"algorithm: dcqcn\n" + star + entry + "faults: [{kind: link, loss: 0.1}]\n",
		"algorithm: dcqcn\n" + star + entry + "faults: [{}]\n",
		"algorithm: dcqcn\n" + star + entry + "variants: [{name: }]\n",
		"algorithm: dcqcn\n" + star + entry + "variants: [{name: a, topology: star}]\n",
		"algorithm: dcqcn\n" + star + entry + "variants: [{name: a, traffic: none}]\n",
		"algorithm: dcqcn\n" + star + entry + "variants: [{name: a, algorithm: }]\n",
		"algorithm: dcqcn\ntopology: {links: [{endpoints: [a, b]}]}\n" + entry + "variants: [{name: x}, {name: y}]\n",
	} {
		if err := whole(src); err != nil {
			t.Errorf("%s\n%v", src, err)
		}
	}
}

// whole returns what a plan lacks that was made without a problem.
func whole(src string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	s, err := Parse("test.yaml", []byte(src), known)
	if err != nil {
		return nil
	}
	plans, err := s.Plans()
	if err != nil || len(plans) == 0 {
		return fmt.Errorf("accepted, and %d plans: %v", len(plans), err)
	}
	for _, p := range plans {
		if len(p.Flows) == 0 {
			return fmt.Errorf("plan %s has no flow", p.Name)
		}
		for i := range p.Flows {
			if f := &p.Flows[i]; f.Algorithm == nil || f.Algorithm.Name == "" || f.Path == nil {
				return fmt.Errorf("flow %s has algorithm %v and path %v", f.Name, f.Algorithm, f.Path)
			}
		}
	}
	return nil
}

// Where no problem lies at a node, below it or at a key of it, the scenario is
// refused all the same, and says that the reason is missing.
func TestSaidHoldsItsPromise(t *testing.T) {
	quiet := onUnreported
	defer func() { onUnreported = quiet }()
	calls := 0
	onUnreported = func(position) { calls++ }
	src := "a: {b: [1, {c: 2}]}\nd: 3\n"
	for _, c := range []struct {
		at   position // of the only problem
		said string   // the key whose node was refused
		held bool
	}{
		{position{File: "x", Line: 1, Column: 1}, "a", false}, // the key before the node
		{position{File: "x", Line: 1, Column: 5}, "a", true},  // the node itself, and its first key
		{position{File: "x", Line: 1, Column: 8}, "a", true},  // the list in it
		{position{File: "x", Line: 1, Column: 12}, "a", true}, // a key below it
		{position{File: "x", Line: 1, Column: 16}, "a", true}, // and its value
		{position{File: "x", Line: 1, Column: 18}, "a", false},
		{position{File: "y", Line: 1, Column: 5}, "a", false},
		{position{File: "x", Line: 2, Column: 4}, "a", false},
		{position{File: "x", Line: 2, Column: 4}, "d", true},
	} {
		p := newProblems()
		root := parseTree("x", []byte(src), p)
		p.add(c.at, "a problem")
		calls = 0
		p.requireReported(nil, root.Child(c.said))
		problems := 2
		if c.held {
			problems = 1
		}
		if held := calls == 0; held != c.held || len(p.list) != problems {
			t.Errorf("problem at %v, %s refused: held %v with problems\n%v", c.at, c.said, held, p.list)
		}
	}
}
