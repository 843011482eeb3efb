package main

// overview shows rocelab's steps, from a scenario to its verdict.
func overview() *drawing {
	d := &drawing{
		width:  880,
		height: 370,
		title:  "rocelab from a scenario to a verdict",
		words: "A scenario, one YAML file, becomes a plan of nodes, links and flows. The plan runs in one process " +
			"or on containers with real packets. Both give the same trace, which verdict, table and run folder " +
			"are made from. Your algorithm is built in or a separate program.",
	}
	scenario := place{x: 24, y: 92, w: 150, h: 120}
	plan := place{x: 206, y: 92, w: 150, h: 120}
	same := place{x: 396, y: 20, w: 252, h: 264}
	process := place{x: 412, y: 62, w: 220, h: 84}
	containers := place{x: 412, y: 158, w: 220, h: 84}
	verdict := place{x: 692, y: 92, w: 164, h: 120}
	algorithm := place{x: 412, y: 312, w: 220, h: 38}

	d.box(blue, scenario, "scenario", "one YAML file:", "fabric, traffic,", "algorithms,", "what to expect")
	d.arrow(grey, right(scenario), left(plan))
	d.box(blue, plan, "plan", "nodes, links, flows;", "every default and", "seed worked out")

	d.frame(grey, same)
	d.heading(same.x+same.w/2, 46, "middle", "either way")
	fork := plan.x + plan.w + 20
	d.arrow(grey, right(plan), point{fork, middle(plan)}, point{fork, middle(process)}, left(process))
	d.arrow(grey, right(plan), point{fork, middle(plan)}, point{fork, middle(containers)}, left(containers))
	d.box(green, process, "one process", "Linux, macOS, Windows;", "seconds, no root")
	d.box(orange, containers, "containers", "Linux, as root: real packets", "on veth; tcpdump sees them")
	d.note(same.x+same.w/2, 262, "middle", "same trace, to the picosecond")

	join := verdict.x - 24
	d.line(grey, false, right(process), point{join, middle(process)}, point{join, middle(verdict)})
	d.line(grey, false, right(containers), point{join, middle(containers)}, point{join, middle(verdict)})
	d.arrow(grey, point{join, middle(verdict)}, left(verdict))
	d.box(sky, verdict, "verdict", "PASS, FAILED,", "VOID or RED;", "table, run folder,", "captures")

	d.box(purple, algorithm, "your algorithm")
	d.arrow(purple, top(algorithm), bottom(same))
	d.note(algorithm.x-14, middle(algorithm)+4, "end", "in Go or Python")
	d.note(algorithm.x+algorithm.w+14, middle(algorithm)+4, "start", "built in or a program")
	return d
}

// left, right, top and bottom are where lines meet a rectangle.
func left(p place) point   { return point{x: p.x, y: middle(p)} }
func right(p place) point  { return point{x: p.x + p.w, y: middle(p)} }
func top(p place) point    { return point{x: p.x + p.w/2, y: p.y} }
func bottom(p place) point { return point{x: p.x + p.w/2, y: p.y + p.h} }

func middle(p place) float64 { return p.y + p.h/2 }
