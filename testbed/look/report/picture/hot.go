package picture

import (
	"fmt"
	"math"
)

// End is a port at an end of a link.
type End struct {
	// Port is its number, "" if it is not known.
	Port string
	// Bytes and Utilisation are of what the port sent. Range: from 0; 0 to 1.
	Bytes, Utilisation float64
}

// Group is a group of equal-cost ports of a switch: its most and its least loaded member, by bytes sent.
type Group struct {
	Node        string
	Most, Least End
}

// String describes the load of both members: leaf7: 1.098 GB on :8, 31 MB on :9.
func (g Group) String() string {
	return fmt.Sprintf("%s: %s on :%s, %s on :%s", g.Node, Prefixed(g.Most.Bytes, "B"), g.Most.Port,
		Prefixed(g.Least.Bytes, "B"), g.Least.Port)
}

// Gap returns how many more bytes the most loaded member sent than the least loaded one.
func (g Group) Gap() float64 { return g.Most.Bytes - g.Least.Bytes }

// Uneven reports whether the most loaded member sent enough more than the least loaded one to be marked.
func (g Group) Uneven() bool { return g.Most.Bytes > unevenFrom*g.Least.Bytes }

const (
	// unevenFrom is the ratio of the loads of two members from which on a group is described below a map.
	unevenFrom = 1.25
	// groupsNamed is the maximum number of groups described there.
	groupsNamed = 3
	// hotEdge is the extra width of the hot link's mark, in pixels.
	hotEdge = 6
)

// hottest is the number of the most loaded link and of its end that sends more; ok is false if none sent anything.
func (d Fabric) hottest() (link, end int, ok bool) {
	most := 0.0
	for i, l := range d.Links {
		if l.Utilisation > most {
			most, link, ok = l.Utilisation, i, true
			end = 0
			if l.Ends[1].Utilisation > l.Ends[0].Utilisation {
				end = 1
			}
		}
	}
	return link, end, ok
}

// hotWords name the most loaded port, "" if nothing was sent.
func (d Fabric) hotWords() string {
	i, end, ok := d.hottest()
	if !ok {
		return ""
	}
	l := d.Links[i]
	from, to := l.A, l.B
	if end == 1 {
		from, to = to, from
	}
	if port := l.Ends[end].Port; port != "" {
		from += ":" + port
	}
	text := fmt.Sprintf("hot link: %s to %s, %s %%", from, to, plain(math.Round(1000*l.Utilisation)/10))
	if bytes := l.Ends[end].Bytes; bytes > 0 {
		text += ", " + Prefixed(bytes, "B")
	}
	return text
}

// hotLegend marks and names the most loaded link.
func (c *canvas) hotLegend(m *fabricMap) {
	if m.hot == "" {
		return
	}
	var p path
	p.move(8, 36)
	p.to(30, 36)
	fmt.Fprintf(&c.out, `<path class="hot" stroke-width="%s" d="%s"/>`, pixels(3+hotEdge), p.String())
	fmt.Fprintf(&c.out, `<path class="grid" stroke-width="3" d="%s"/>`, p.String())
	c.text(38, 40, atStart, "", fit(m.hot, wideWidth-44))
}

// loads name the hot link and the most uneven groups.
func (d Fabric) loads() (lines []string) {
	if hot := d.hotWords(); hot != "" {
		lines = append(lines, hot)
	}
	return append(lines, d.unevenGroups()...)
}

func (d Fabric) unevenGroups() (lines []string) {
	for _, g := range d.Groups[:min(len(d.Groups), groupsNamed)] {
		if g.Uneven() {
			lines = append(lines, "ECMP of "+g.String())
		}
	}
	return lines
}

// named are the lines below the map: groups, then deadlocks.
func (d Fabric) named() []string {
	lines := d.unevenGroups()
	for _, l := range d.Deadlocks[:min(len(d.Deadlocks), deadlocksNamed)] {
		lines = append(lines, l.String())
	}
	return lines
}

// portsOf returns the attributes with the ports at both ends of a link, for several links the most loaded one's; a page
// makes links of ports that have a queue to show.
func (l mappedLink) portsOf() string {
	if l.Ends[0].Port == "" || l.Ends[1].Port == "" {
		return ""
	}
	return fmt.Sprintf(` data-a="%s:%s" data-b="%s:%s"`, escape(l.A), escape(l.Ends[0].Port), escape(l.B),
		escape(l.Ends[1].Port))
}
