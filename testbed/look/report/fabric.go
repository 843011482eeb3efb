package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// fabricSection is the map of the fabric, a picture a run.
func fabricSection(variants []*variant) (section, error) {
	s := section{
		ID:    "fabric",
		Title: "Fabric",
		Lead: "Each link has the shade of its busier direction over the whole run; the most loaded one, the hot " +
			"link, has an edge. Half a link opens the queue of the port at that end, if the queue was recorded. A " +
			"red arrow leads from the sender of a pause to the node that it paused; the table of pauses shows for " +
			"how long.",
	}
	locked, slider := false, false
	var groups []runGroup
	err := eachDrawn(variants, func(v *variant, r *run) error {
		fabric, err := r.fabric(v)
		if err == nil && len(fabric.Nodes) > 0 {
			s.drawRun("fabric-picture", v, r, fabric.Draw())
			locked, slider = locked || len(fabric.Deadlocks) > 0, slider || fabric.Bins > 0
			for _, g := range fabric.Groups {
				groups = append(groups, runGroup{v, r, g})
			}
		}
		return err
	})
	if err != nil {
		return s, err
	}
	if locked {
		s.Lead += " A thick one is a part of a deadlock: no queue of its circle could send."
	}
	if slider {
		s.Notes = append(s.Notes, "The slider above a map shows the pauses at a time; its left end is the whole run.")
	}
	s.noteUndrawn(variants)
	if t := groupTable(groups); len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t)
	}
	return s, s.add(variants, deadlocks)
}

// pathName matches the names of a fabric's long-haul paths.
var pathName = regexp.MustCompile(`^wan\d+$`)

// fabric returns the fabric of a run, derived from its ports: a node that sends or receives a flow, or has one port, is
// a host; a long-haul path has its name and two ports.
func (r *run) fabric(v *variant) (picture.Fabric, error) {
	d := picture.Fabric{Key: picture.Key{Name: v.name(r), Hue: v.hue}}
	hosts := map[string]bool{}
	err := r.rows("flows.csv", func(row row) error {
		hosts[strings.Clone(row.Text("from"))], hosts[strings.Clone(row.Text("to"))] = true, true
		return nil
	})
	if err != nil {
		return d, err
	}
	index, ports := map[string]int{}, map[string]int{}
	held := map[string][2]string{} // who pauses whom at a port
	links := map[[3]string]int{}
	err = r.rows("ports.csv", func(row row) error {
		node, peer := strings.Clone(row.Text("node")), strings.Clone(row.Text("peer"))
		if _, known := index[node]; !known {
			index[node] = len(d.Nodes)
			d.Nodes = append(d.Nodes, picture.Node{Name: node})
		}
		ports[node]++
		held[node+"\x00"+row.Text("port")+"\x00"] = [2]string{peer, node}
		// Of parallel links the n-th of one end is the n-th of the other.
		key := [3]string{node, peer}
		for n := 0; ; n++ {
			key[2] = fmt.Sprint(n)
			if _, known := links[key]; !known {
				break
			}
		}
		end := picture.End{
			Port:        strings.Clone(row.Text("port")),
			Bytes:       row.OrZero("tx_bytes"),
			Utilisation: row.OrZero("utilisation"),
		}
		l := picture.Link{
			A:           node,
			B:           peer,
			Rate:        row.OrZero("rate_gbps"),
			Utilisation: end.Utilisation,
			Ends:        [2]picture.End{end, {}},
		}
		if back, known := links[[3]string{peer, node, key[2]}]; known {
			links[key] = back
			at := &d.Links[back]
			at.Rate, at.Utilisation = math.Max(at.Rate, l.Rate), math.Max(at.Utilisation, l.Utilisation)
			at.Ends[1] = end
			return nil
		}
		links[key] = len(d.Links)
		d.Links = append(d.Links, l)
		return nil
	})
	if err != nil {
		return d, err
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		n.Path = ports[n.Name] == 2 && pathName.MatchString(n.Name)
		n.Host = !n.Path && (hosts[n.Name] || ports[n.Name] == 1)
	}
	d.Groups = equalCostGroups(&d)
	err = r.rows("pfc.csv", func(row row) error {
		if time := row.OrZero("paused_us"); time > 0 {
			d.Pauses = append(d.Pauses, picture.Pause{By: strings.Clone(row.Text("peer")), Held: strings.Clone(row.Text("node")),
				Time: time})
		}
		return nil
	})
	if err == nil {
		err = r.pausesOver(&d, held)
	}
	if err == nil {
		err = r.deadlocks(&d, held)
	}
	slices.SortStableFunc(d.Pauses, func(a, b picture.Pause) int { return cmp.Compare(b.Time, a.Time) })
	return d, err
}

// deadlocks gives a picture the circles of queues that waited for each other.
func (r *run) deadlocks(d *picture.Fabric, held map[string][2]string) error {
	number := ""
	return r.rows("deadlocks.csv", func(row row) error {
		if len(d.Deadlocks) == 0 || row.Text("deadlock") != number {
			number = strings.Clone(row.Text("deadlock"))
			d.Deadlocks = append(d.Deadlocks, picture.Deadlock{At: row.OrZero("at_us")})
		}
		last := &d.Deadlocks[len(d.Deadlocks)-1]
		node, port := strings.Clone(row.Text("node")), strings.Clone(row.Text("port"))
		peer := held[node+"\x00"+port+"\x00"][0]
		last.Waits = append(last.Waits, picture.Wait{Node: node, Port: port, For: peer})
		return nil
	})
}

// pausesOver gives the pauses of a picture their shares of each bin, if the run recorded them: among parallel links the
// largest.
func (r *run) pausesOver(d *picture.Fabric, held map[string][2]string) error {
	if len(d.Pauses) == 0 {
		return nil
	}
	f, err := r.readSeries("series_ports.csv", []string{"node", "port"}, []string{"paused_us"})
	if err != nil || f.span() == 0 {
		return err
	}
	count := (f.span() + heatBins - 1) / heatBins
	d.Width = float64(f.width*count) / 1e6
	d.Bins = int((f.span() + count - 1) / count)
	shares := map[[2]string][]float64{}
	for name, k := range f.series {
		c := k.columns["paused_us"]
		if c == nil {
			continue
		}
		first, values := k.bins(c, f.width, 0)
		first, values = merge(first, values, count, sum)
		pair := held[name]
		if shares[pair] == nil {
			shares[pair] = make([]float64, d.Bins)
		}
		scale := math.Pow10(c.decimals) * d.Width
		for i, value := range values {
			at := &shares[pair][first+int64(i)]
			*at = math.Max(*at, float64(value)/scale)
		}
	}
	for i := range d.Pauses {
		p := &d.Pauses[i]
		p.Shares = shares[[2]string{p.By, p.Held}]
	}
	return nil
}
