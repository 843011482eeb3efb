package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Fabric is the map of a fabric: nodes in tiers, links, and who paused whom.
type Fabric struct {
	Key
	Nodes  []Node
	Links  []Link
	Pauses []Pause
	// Width is the microseconds of a bin of pauses, and Bins the number of bins, 0 if none were recorded.
	Width float64
	Bins  int
	// Deadlocks are circles of queues that waited for each other.
	Deadlocks []Deadlock
	// Groups are groups of equal-cost ports, the most uneven first.
	Groups []Group
}

// Deadlock is a circle of egress queues, found at a time in microseconds.
type Deadlock struct {
	At    float64
	Waits []Wait
}

// Wait is a queue of a deadlock: its frames are to leave the node through a port and wait for the node there.
type Wait struct{ Node, Port, For string }

// Node is a host, a switch or a long-haul path.
type Node struct {
	Name string
	// Host and Path say what it is; a switch is neither.
	Host, Path bool
}

// Link is a link between two nodes.
type Link struct {
	A, B string
	// Rate is in Gb/s, Utilisation the larger one of the two directions'. Range: 0 to 1.
	Rate, Utilisation float64
	// Ends are the ports of A and of B, with what each sent to the other.
	Ends [2]End
}

// Pause is a node's hold on another one's port, with its time in microseconds.
type Pause struct {
	By, Held string
	Time     float64
	// Shares are the shares of each bin for which it did; nil if they are not known.
	Shares []float64
}

const (
	tierHeight = 92
	tierLeft   = 62
	boxHeight  = 22
	// deadlocksNamed is the maximum number of deadlocks described below the map, namedHeight a line's height.
	deadlocksNamed = 4
	namedHeight    = 18
)

// String lists the queues that waited for each other.
func (l Deadlock) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "deadlock at %s us: ", plain(math.Round(1000*l.At)/1000))
	for _, w := range l.Waits {
		fmt.Fprintf(&text, "%s:%s > ", w.Node, w.Port)
	}
	if len(l.Waits) > 0 {
		fmt.Fprintf(&text, "%s:%s", l.Waits[0].Node, l.Waits[0].Port)
	}
	return text.String()
}

// Draw makes the picture.
func (d Fabric) Draw() *Picture {
	title := "Fabric: " + d.Name
	if len(d.Nodes) == 0 {
		return empty(title, "The run has no ports.")
	}
	m := d.layOut()
	named := d.named()
	c := newCanvas(wideWidth, m.bottom+34+namedHeight*float64(len(named)), title, d.describe())
	c.fabricLegend(d)
	c.hotLegend(m)
	for i, t := range m.tiers {
		c.text(6, m.y(i)+4, atStart, "soft", fit(t.name, tierLeft-10))
	}
	most := 0.0
	for _, l := range m.links {
		most = math.Max(most, l.Rate)
	}
	c.open(` class="` + hueClass(d.Hue) + `"`)
	for _, l := range m.links {
		c.link(m, l, most)
	}
	c.end()
	if len(m.pauses) > 0 {
		c.open(fmt.Sprintf(` data-width="%s" data-bins="%d"`, plain(d.Width), d.Bins))
		for _, p := range m.pauses {
			c.pause(m, p)
		}
		c.end()
	}
	for _, p := range m.stuck {
		c.pause(m, p)
	}
	for _, t := range m.tiers {
		for _, g := range t.groups {
			c.node(g)
		}
	}
	for i, text := range named {
		c.text(6, m.bottom+30+namedHeight*float64(i), atStart, "", fit(text, wideWidth-12))
	}
	return c.done()
}

// fabricLegend explains colour, thickness and arrows.
func (c *canvas) fabricLegend(d Fabric) {
	zero := c.text(6, 18, atStart, "soft", "utilisation 0")
	c.open(` class="` + hueClass(d.Hue) + `"`)
	for i := range heatLevels {
		c.rect(fmt.Sprintf("heat heat-%d", i+1), zero.right+5+14*float64(i), 9, 14, 10, "")
	}
	c.end()
	full := c.text(zero.right+10+14*heatLevels, 18, atStart, "soft", "100 %")
	thick := c.text(full.right+24, 18, atStart, "soft", "the thicker a link, the higher its rate")
	if len(d.Pauses) == 0 {
		return
	}
	var p path
	arrow(&p, thick.right+24, 14, thick.right+52, 14)
	c.draw("arrow", &p)
	c.text(thick.right+58, 18, atStart, "soft", "pauses")
}

// ends returns the heights at which a link of two boxes begins and ends: the edges that face each other, so that it
// does not pass behind a box beside them.
func ends(a, b *group) (from, to float64) {
	switch {
	case a.y < b.y:
		return a.y + boxHeight/2, b.y - boxHeight/2
	case a.y > b.y:
		return a.y - boxHeight/2, b.y + boxHeight/2
	}
	return a.y, b.y
}

// link draws a link: its rate is its thickness, its utilisation its shade.
func (c *canvas) link(m *fabricMap, l mappedLink, most float64) {
	var p path
	from, to := ends(l.a, l.b)
	p.move(l.a.x, from)
	p.to(l.b.x, to)
	thick, thickest := 2.5, 5.0
	if len(m.links) > 60 {
		thickest = 2.5
	}
	if most > 0 {
		thick = math.Max(1, thickest*math.Sqrt(l.Rate/most))
	}
	hint := fmt.Sprintf("%s to %s: %s Gb/s, utilisation %s %%", l.a.name, l.b.name, plain(l.Rate),
		plain(math.Round(1000*l.Utilisation)/10))
	if l.count > 1 {
		hint += fmt.Sprintf(" at most, %d links", l.count)
	}
	fmt.Fprintf(&c.out, `<g stroke-width="%s"%s><title>%s</title>`, pixels(thick), l.portsOf(), escape(hint))
	if l.hot {
		fmt.Fprintf(&c.out, `<path class="hot" stroke-width="%s" d="%s"/>`, pixels(thick+hotEdge), p.String())
	}
	fmt.Fprintf(&c.out, `<path class="grid" d="%s"/>`, p.String())
	if shade := level(l.Utilisation, 1); shade > 0 {
		fmt.Fprintf(&c.out, `<path class="link heat-%d" d="%s"/>`, shade, p.String())
	}
	c.end()
}

// pause draws an arrow beside a link, from who paused to who was held.
func (c *canvas) pause(m *fabricMap, p mappedPause) {
	from, to := ends(p.by, p.held)
	dx, dy := p.held.x-p.by.x, to-from
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	dx, dy = dx/length, dy/length
	// It is on the right of its way, so that two that pause each other have two arrows.
	x, y := p.by.x-7*dy+dx*length*0.28, from+7*dx+dy*length*0.28
	var way path
	arrow(&way, x, y, x+dx*length*0.44, y+dy*length*0.44)
	if p.deadlock {
		fmt.Fprintf(&c.out, `<g><title>%s</title><path class="arrow stuck" d="%s"/></g>`,
			escape(fmt.Sprintf("deadlock: %s waited for %s", p.held.name, p.by.name)), way.String())
		return
	}
	hint := fmt.Sprintf("%s paused %s for %s us", p.by.name, p.held.name, plain(math.Round(1000*p.Time)/1000))
	fmt.Fprintf(&c.out, `<g data-by="%s" data-held="%s" data-shares="%s">`, escape(p.by.name), escape(p.held.name),
		eighths(p.shares))
	fmt.Fprintf(&c.out, `<title>%s</title><path class="arrow" d="%s"/></g>`, escape(hint), way.String())
}

// eighths writes shares of a bin as a digit each: 0 for nothing, 8 only for all of the bin.
func eighths(shares []float64) string {
	digits := make([]byte, len(shares))
	for i, share := range shares {
		digits[i] = '0'
		if share > 0 {
			digits[i] += byte(min(max(unit.Whole[int](8*share+1e-9), 1), 8))
		}
	}
	return string(digits)
}

// arrow is a line with a head at its end.
func arrow(p *path, x1, y1, x2, y2 float64) {
	p.move(x1, y1)
	p.to(x2, y2)
	angle := math.Atan2(y2-y1, x2-x1)
	for _, turn := range []float64{-2.6, 2.6} {
		p.move(x2, y2)
		p.to(x2+7*math.Cos(angle+turn), y2+7*math.Sin(angle+turn))
	}
}

// node draws a node or the nodes that are one box.
func (c *canvas) node(g *group) {
	label := fit(g.name, g.room-6)
	if label != g.name && g.short != "" {
		label = fit(g.short, g.room-6)
	}
	wide := math.Min(textWidth(label)+10, g.room-2)
	c.rect("node", g.x-wide/2, g.y-boxHeight/2, wide, boxHeight, g.hint)
	c.text(g.x, g.y+4, atMiddle, "", label)
}

func (d Fabric) describe() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d nodes and %d links, in tiers, hosts below.", len(d.Nodes), len(d.Links))
	for _, line := range d.loads() {
		fmt.Fprintf(&text, " %s.", line)
	}
	if len(d.Pauses) == 0 {
		text.WriteString(" No port was paused.")
	}
	for i, p := range d.Pauses {
		if i == 8 {
			fmt.Fprintf(&text, " And %d more.", len(d.Pauses)-i)
			break
		}
		fmt.Fprintf(&text, " %s paused %s for %s us.", p.By, p.Held, plain(math.Round(1000*p.Time)/1000))
	}
	for i, l := range d.Deadlocks {
		if i == deadlocksNamed {
			fmt.Fprintf(&text, " And %d more deadlocks.", len(d.Deadlocks)-i)
			break
		}
		fmt.Fprintf(&text, " A %v.", l)
	}
	return text.String()
}
