package validation

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// sizes counts what the plan has; servers only where NICs share them.
func sizes(report scenario.Report) page.Block {
	payload := report.Bytes.String()
	if report.Unsized > 0 {
		payload += " and " + unit.CountOf(report.Unsized, "flow without a size", "flows without a size")
	}
	head, row := []string{"switches"}, []any{report.Switches}
	if report.Fabric != "" {
		head, row = []string{"fabric", "switches"}, []any{report.Fabric, report.Switches}
	}
	if report.Servers != report.NICs {
		head, row = append(head, "servers"), append(row, report.Servers)
	}
	t := page.New(append(head, "NICs", "links", "flows", "payload", "window", "windows/ms")...)
	t.Add(append(row, report.NICs, report.Links, report.Flows, payload, report.Window, report.WindowsPerMs)...)
	return t
}

func paths(report scenario.Report) page.Block {
	if len(report.Paths) == 0 {
		return nil
	}
	t := page.New("flows", "for example", "hops", "rate", "base RTT", "one way", "BDP")
	for _, path := range report.Paths {
		t.Add(path.Flows, path.Example, path.Hops, path.Rate, path.BaseRTT, path.OneWay, path.BDP)
	}
	return t
}

// pinned lists the flows whose paths the scenario chooses.
func pinned(report scenario.Report) page.Block {
	if len(report.Pinned) == 0 {
		return nil
	}
	t := page.New("pinned flows", "for example", "path", "of", "by")
	for _, pin := range report.Pinned {
		t.Add(pin.Flows, pin.Example, pin.Number, pin.Of, pin.Switches)
	}
	return t
}

// edges lists where hosts and devices that are not part of the testbed take part.
func edges(report scenario.Report) page.Block {
	if len(report.Edges) == 0 {
		return nil
	}
	t := page.New("edge", "interface", "address", "rate", "latency", "queue", "class")
	for _, e := range report.Edges {
		end, class := e.Interface, any(e.Class)
		switch {
		case end == "":
			end = "own stack"
		case e.Namespace != "":
			end += " in " + e.Namespace
		}
		if e.Class < 0 {
			class = "-"
		}
		t.Add(e.Name, end, e.Address, e.Rate, e.Latency, e.Queue, class)
	}
	return t
}

func longHauls(report scenario.Report) page.Block {
	if len(report.LongHauls) == 0 {
		return nil
	}
	rows := page.New("long haul", "from", "to", "rate", "length", "one way", "back", "jitter", "mean loss", "changes",
		"in flight, both ways")
	for i := 0; i < len(report.LongHauls); i++ {
		haul := report.LongHauls[i]
		for first := haul; i+1 < len(report.LongHauls); i++ { // hauls that differ only in their names are one
			like := report.LongHauls[i+1]
			if like.Name = first.Name; like != first {
				break
			}
			haul.Name = first.Name + " to " + report.LongHauls[i+1].Name
		}
		length := haul.Length[0].String()
		if haul.Length[1] != haul.Length[0] {
			length += " / " + haul.Length[1].String()
		}
		rows.Add(haul.Name, haul.From, haul.To, haul.Rate, length, haul.Delay[0], haul.Delay[1], haul.Jitter,
			fmt.Sprintf("%.3g", haul.Loss), haul.Changes, haul.Fill)
	}
	return rows
}

func dciPorts(report scenario.Report) page.Block {
	if len(report.DCIs) == 0 {
		return nil
	}
	columns := []string{"DCI ports", "such as", "rate", "RTT", "BDP", "buffer", "Kmin", "Kmax", "PFC", "XON", "XOFF"}
	proximal := slices.ContainsFunc(report.DCIs, func(d scenario.DCIClass) bool { return d.Trigger > 0 })
	if proximal {
		columns = append(columns, "proximal CNP above")
	}
	t := page.New(columns...)
	for _, d := range report.DCIs {
		var xon, xoff any = "-", "-"
		pfc := "off"
		if d.Classes > 0 {
			pfc, xon, xoff = "on", d.XON, d.XOFF
		}
		row := []any{d.Ports, d.Example, d.Rate, d.RTT, d.BDP, d.Buffer, d.Kmin, d.Kmax, pfc, xon, xoff}
		if proximal {
			row = append(row, d.Trigger)
		}
		t.Add(row...)
	}
	return t
}

// bound returns the least time of an iteration.
func bound(report scenario.Report) page.Block {
	if report.Bound == nil {
		return nil
	}
	return page.Paragraph("bound: " + report.Bound.String())
}

func headrooms(report scenario.Report) page.Block {
	if len(report.Headrooms) == 0 {
		return nil
	}
	t := page.New("lossless ports", "such as", "rate", "latency", "classes", "headroom", "reserve")
	for _, h := range report.Headrooms {
		example := h.Example
		if h.DCI {
			example += " (DCI)"
		}
		t.Add(h.Ports, example, h.Rate, h.Latency, h.Classes, h.Headroom, h.Reserve)
	}
	return t
}

// markings returns the thresholds of ports that mark, in bytes and in bandwidth-delay products.
func markings(report scenario.Report) page.Block {
	if len(report.Markings) == 0 {
		return nil
	}
	t := page.New("marking ports", "such as", "rate", "class", "Kmin", "Kmax", "Pmax", "base RTT", "Kmin / BDP",
		"Kmax / BDP")
	for _, m := range report.Markings {
		share := func(threshold unit.Bytes) any {
			if m.BDP == 0 {
				return "-"
			}
			return fmt.Sprintf("%.3g", float64(threshold)/float64(m.BDP))
		}
		rtt := any("-")
		if m.BaseRTT > 0 {
			rtt = m.BaseRTT
		}
		t.Add(m.Ports, m.Example, m.Rate, m.Class, m.Kmin, m.Kmax, m.Pmax, rtt, share(m.Kmin), share(m.Kmax))
	}
	return t
}

// chips lists the capabilities of the switches' chips, and how good their source is.
func chips(report scenario.Report) page.Block {
	if len(report.Chips) == 0 {
		return nil
	}
	t := page.New("switches", "such as", "chip", "figure", "value", "evidence")
	for _, c := range report.Chips {
		for i, f := range c.Figures {
			if i > 0 {
				t.Add("", "", "", f.Key, f.Value, f.Evidence)
				continue
			}
			t.Add(c.Switches, c.Example, c.Title, f.Key, f.Value, f.Evidence)
		}
	}
	return t
}

// mostOutages bounds the lines of the convergence; JSON has all.
const mostOutages = 40

// convergence lists what follows from outages and drains of links, one a line.
func convergence(report scenario.Report) page.Block {
	if len(report.Convergence) == 0 {
		return nil
	}
	t := page.New("link", "down", "detected", "settled", "switches", "up", "restored", "returned")
	list := report.Convergence
	for _, c := range list[:min(len(list), mostOutages)] {
		name := c.Link
		if c.Drain {
			name += ", drained"
		}
		t.Add(name, c.Down, both(c.Detected), instant(c.Settled), c.Switches, instant(c.Up), both(c.Restored),
			instant(c.Returned))
	}
	if more := len(list) - mostOutages; more > 0 {
		t.Add(fmt.Sprintf("and %d more", more), "", "", "", "", "", "", "")
	}
	return t
}

// instant is a time that may never come.
func instant(at *unit.Time) string {
	if at == nil {
		return "never"
	}
	return at.String()
}

// both describes the times of the two ends of a link, once if they are the same.
func both(ends [2]*unit.Time) string {
	if a, b := instant(ends[0]), instant(ends[1]); a != b {
		return a + " / " + b
	}
	return instant(ends[0])
}
