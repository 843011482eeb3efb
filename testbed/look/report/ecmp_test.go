package report

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// leafSpinePorts is ports.csv of two leaves with a host each under two spines. Leaf 0 sends nearly all by one uplink,
// and its port to a host, which is not a member of a group, sends most of all.
const leafSpinePorts = "node,port,peer,rate_gbps,utilisation,tx_bytes\n" +
	"leaf0,0,h0,100,0.9,9000000\nleaf0,1,spine0,100,0.5,1098000000\n" +
	"leaf0,2,spine1,100,0.01,31000000\n" +
	"leaf1,0,h1,100,0.1,1000\nleaf1,1,spine0,100,0.1,1000\nleaf1,2,spine1,100,0.1,900\n" +
	"spine0,0,leaf0,100,0.1,1000\nspine0,1,leaf1,100,0.95,5000\n" +
	"spine1,0,leaf0,100,0.1,1000\nspine1,1,leaf1,100,0.1,1000\n" +
	"h0,0,leaf0,100,0.2,1000\nh1,0,leaf1,100,0.2,1000\n"

// A group is the ports to the same hosts at one cost; the table and the text name its most and its least loaded member.
// The link with the busiest direction is the hot one, and ports are at the ends of links.
func TestECMPGroupsAndHotLink(t *testing.T) {
	r := plain("a")
	r.files["flows.csv"] = "flow,from,to,start_us,completed_us\nf,h0,h1,0,1\n"
	r.files["ports.csv"] = leafSpinePorts
	files := folderOf(t, "one", r)
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	text := descOf(t, drawingsOf(t, root), "fabric-picture-0")
	for _, want := range []string{"hot link: spine0:1 to leaf1, 95 %, 5 KB.",
		"ECMP of leaf0: 1.098 GB on :1, 31 MB on :2."} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("the map lacks %q: %s", want, text)
			}
		})
	}
	if strings.Contains(text, "ECMP of leaf1") {
		t.Errorf("an even group is named: %s", text)
	}
	if table := textOf(byID(t, root, "ecmp")); !strings.Contains(table, "aleaf0:11.098 GB:231 MB35.42") ||
		!strings.Contains(table, "aleaf1:11 KB:2900 B1.11") || strings.Contains(table, "spine") {
		t.Error(table)
	}
	hot, ends := 0, map[string]bool{}
	each(root, func(n *html.Node) {
		if attribute(n, "class") == "hot" {
			hot++
		}
		ends[attribute(n, "data-a")+" "+attribute(n, "data-b")] = true
	})
	if hot != 2 || !ends["leaf1:1 spine0:1"] || !ends["leaf0:0 h0:0"] { // on the link, and in the legend
		t.Errorf("%d marks, ends %v", hot, ends)
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
}

// A long-haul path is part of its link: two of them between the same switches are equal. Of many groups the most
// uneven are in the table.
func TestECMPOverLongHaulPaths(t *testing.T) {
	r := plain("a")
	r.files["flows.csv"] = "flow,from,to,start_us,completed_us\nf,h0,h1,0,1\n"
	r.files["ports.csv"] = "node,port,peer,rate_gbps,utilisation,tx_bytes\n" +
		"s0,0,h0,100,0,0\ns0,1,wan0,100,0,7000\ns0,2,wan1,100,0,0\ns1,0,h1,100,0,0\ns1,1,wan0,100,0,0\n" +
		"s1,2,wan1,100,0,0\nwan0,0,s0,100,0,0\nwan0,1,s1,100,0,0\nwan1,0,s0,100,0,0\nwan1,1,s1,100,0,0\n" +
		"h0,0,s0,100,0,0\nh1,0,s1,100,0,0\n"
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	table := textOf(byID(t, root, "ecmp"))
	if !strings.Contains(table, "as0:17 KB:20 B-") || strings.Contains(table, "s1:") {
		t.Error(table)
	}
	v := variantsOf([]*Folder{opened(t, "run", folderOf(t, "one", r))})[0]
	d, err := v.runs[0].fabric(v)
	if err != nil || len(d.Groups) != 1 {
		t.Fatalf("%v: %d groups", err, len(d.Groups))
	}
	var many []runGroup
	for i := range 20 {
		g := d.Groups[0]
		g.Node, g.Most.Bytes = fmt.Sprint("n", i), float64(1000*i)
		many = append(many, runGroup{v, v.runs[0], g})
	}
	got := groupTable(many)
	if len(got.Rows) != rowsShown || got.Rows[0].Cells[0].Text != "n19" || got.LeftOut != "The first 12 of 20 groups." {
		t.Errorf("%d rows, first %v, %q", len(got.Rows), got.Rows[0].Cells[0].Text, got.LeftOut)
	}
}
