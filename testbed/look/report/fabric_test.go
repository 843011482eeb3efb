package report

import (
	"fmt"
	"html/template"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// The fabric follows from the ports: both ends of a link are one link, each parallel link is one, and an arrow points
// to the held port.
func TestFabricOfPorts(t *testing.T) {
	r := plain("a")
	r.files["flows.csv"] = "flow,from,to,start_us,completed_us\nf,h0,h1,0,1\n"
	r.files["ports.csv"] = "node,port,peer,rate_gbps,utilisation\n" +
		"s0,0,h0,100.000,0.2500\ns0,1,s1,400.000,0.1000\ns0,2,s1,400.000,0.5000\n" +
		"s1,0,h1,100.000,0.0000\ns1,1,s0,400.000,0.7500\ns1,2,s0,400.000,0.0000\ns1,3,wan0,100.000,0.0000\n" +
		"h0,0,s0,100.000,1.0000\nh1,0,s1,100.000,0.0000\nwan0,0,s1,100.000,0.0000\nwan0,1,far,100.000,0.0000\n"
	r.files["pfc.csv"] = "node,port,peer,class,paused_us\ns0,1,s1,3,12.500000\nh0,0,s0,3,700.000000\ns1,0,h1,3,0.000000\n"
	folder := opened(t, "run", folderOf(t, "one", r))
	v := variantsOf([]*Folder{folder})[0]
	d, err := v.runs[0].fabric(v)
	if err != nil || len(d.Nodes) != 5 || len(d.Links) != 6 {
		t.Fatalf("%v: %d nodes, %d links", err, len(d.Nodes), len(d.Links))
	}
	if d.Links[0].Utilisation != 1 || d.Links[1].Utilisation != 0.75 || d.Links[2].Utilisation != 0.5 {
		t.Errorf("%+v", d.Links)
	}
	for _, n := range d.Nodes {
		if n.Host != strings.HasPrefix(n.Name, "h") || n.Path != (n.Name == "wan0") {
			t.Errorf("%+v", n)
		}
	}
	text := descOf(t, drawingsOf(t, parsed(t, written(t, folder))), "fabric-picture-0")
	if !strings.Contains(text, "s0 paused h0 for 700 us. s1 paused s0 for 12.5 us.") {
		t.Error(text)
	}
}

// Of a deadlock the queues are named in their order, on the map and in a table.
func TestDeadlocksOnTheMap(t *testing.T) {
	r := plain("a")
	r.files["ports.csv"] = "node,port,peer,rate_gbps,utilisation\n" +
		"s0,1,s1,400.000,0.1000\ns1,1,s2,400.000,0.5000\ns2,1,s0,400.000,0.5000\ns0,0,h0,100.000,0.2500\n"
	r.files["deadlocks.csv"] = "deadlock,at_us,node,port,class\n" +
		"1,2000.000000,s0,1,3\n1,2000.000000,s1,1,3\n1,2000.000000,s2,1,3\n2,3000.000000,s1,1,4\n"
	files := folderOf(t, "one", r)
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	text := descOf(t, drawingsOf(t, root), "fabric-picture-0")
	if !strings.Contains(text, "A deadlock at 2000 us: s0:1 > s1:1 > s2:1 > s0:1. A deadlock at 3000 us: s1:1") {
		t.Error(text)
	}
	if svg := page[strings.Index(page, `id="fabric-picture-0"`):]; strings.Count(svg, `class="arrow stuck"`) != 3 ||
		!strings.Contains(svg, "deadlock: s1 waited for s2") {
		t.Error("the circle is not drawn")
	}
	if table := textOf(byID(t, root, "deadlocks")); strings.Count(table, "2000.000000") != 3 {
		t.Error(table)
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
}

// For each variant the first seed is open and the others are folded away while there is room; omitted ones are named.
func TestSeedsOfTheMap(t *testing.T) {
	var runs []fakeRun
	for variant := range 8 {
		for seed := range 3 {
			r := plain(fmt.Sprint("v", variant))
			r.seed = uint64(seed + 1)
			r.files["ports.csv"] = "node,port,peer,rate_gbps,utilisation\ns0,0,h0,100.000,0.2500\n"
			runs = append(runs, r)
		}
	}
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", runs...))))
	drawings := drawingsOf(t, root)
	for id, folded := range map[string]bool{
		"fabric-picture-0": false, "fabric-picture-5-seed-3": true, "ports-picture-5": false, "ports-picture-0-seed-2": true,
	} {
		t.Run(id, func(t *testing.T) {
			if drawings[id] == nil || (drawings[id].Parent.Parent.Parent.Data == "details") != folded {
				t.Errorf("%s is not there, or not where it should be", id)
			}
		})
	}
	if drawings["fabric-picture-6"] != nil {
		t.Error("a seventh variant is drawn")
	}
	text := textOf(byID(t, root, "fabric"))
	for _, want := range []string{"Open is the picture of each variant's first seed", "6 variants; not v6, v7."} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not said: %s", want, text)
			}
		})
	}
	many := section{Drawings: []drawing{{Fold: "x", SVG: template.HTML(strings.Repeat("x", foldedBytes+1))}}}
	v := variantsOf([]*Folder{opened(t, "run", folderOf(t, "one", runs...))})
	many.drawRun("p", v[0], v[0].runs[1], new(picture.Picture))
	if many.noteUndrawn(v[:1]); len(many.Drawings) != 1 || !strings.Contains(many.Notes[0], "1 of 2 others") {
		t.Errorf("%d pictures, %q", len(many.Drawings), many.Notes)
	}
}
