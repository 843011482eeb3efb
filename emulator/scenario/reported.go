package scenario

// What was refused when it was read cannot be used when the plan is made. Then the
// builder gives up without an error, because one was reported; requireReported
// makes sure that it was.

// onUnreported is called where no problem was reported; tests have it panic.
var onUnreported = func(position) {}

// requireReported checks that a problem was reported at one of the nodes or below it.
// If none was, that is a mistake of this package, and the scenario is
// refused for it: a plan that silently lacks something is worse.
func (p *problems) requireReported(nodes ...*node) {
	at := position{Line: 1, Column: 1}
	for _, n := range nodes {
		if n == nil {
			continue
		}
		if n.AnyPosition(p.has) {
			return
		}
		at = n.At
	}
	onUnreported(at)
	p.add(at, "this was refused without a reason, which is a mistake of rocelab: please report it with the file")
}
