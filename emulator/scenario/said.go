package scenario

// What was refused when it was read cannot be used when the plan is made. Then
// the builder gives up without a word, as the reason was said; said keeps it from
// giving up in silence where it was not.

// unsaid is called where a promise does not hold; tests have it panic.
var unsaid = func(position) {}

// said holds the promise that a problem lies at one of the nodes or below it.
// Where there is none, that is a mistake of this package, and the scenario is
// refused for it: a plan that lacks something in silence is worse.
func (p *problems) said(nodes ...*node) {
	at := position{line: 1, column: 1}
	for _, n := range nodes {
		if n == nil {
			continue
		}
		if n.holds(p.has) {
			return
		}
		at = n.at
	}
	unsaid(at)
	p.add(at, "this was refused without a reason, which is a mistake of rocelab: please report it with the file")
}

// holds reports whether a position of n, of a key of it or of what is below it
// fulfils a condition.
func (n *node) holds(fulfils func(position) bool) bool {
	if fulfils(n.at) {
		return true
	}
	for _, e := range n.entries {
		if fulfils(e.at) || e.value.holds(fulfils) {
			return true
		}
	}
	for _, item := range n.items {
		if item.holds(fulfils) {
			return true
		}
	}
	return false
}
