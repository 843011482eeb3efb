package report

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// axisOf are the labels of the axis of time of a drawing: its texts in the middle of what they stand below.
func axisOf(figure *html.Node) string {
	var labels []string
	each(figure, func(n *html.Node) {
		if n.Data == "text" && attribute(n, "text-anchor") == "middle" {
			labels = append(labels, textOf(n)+" at "+attribute(n, "x"))
		}
	})
	return strings.Join(labels, ", ")
}

// The pictures of ports and of collectives of all variants have one axis of time, that of the longest.
func TestVariantsShareTheAxisOfTime(t *testing.T) {
	var runs []fakeRun
	for i, variant := range []string{"a", "b"} {
		r := plain(variant)
		done := 1000 * (1 + i)
		r.files["collectives.csv"] = "collective,operation,method,iteration,ranks,done_us,slowest,busbw_gigabytes_s\n" +
			fmt.Sprintf("job,all-reduce,ring,0,1,%d,h0,2.0\n", done)
		r.files["ranks.csv"] = "collective,rank,host,begun_us,ready_us,done_us\n" +
			fmt.Sprintf("job,0,h0,0,100,%d\n", done)
		r.files["ports.csv"] = "node,port,peer,rate_gbps,utilisation\ns0,1,h1,100,0.5\n"
		r.files["series_ports.csv"] = "time_us,node,port,tx_bytes\n"
		for at := 0; at < done; at += 500 {
			r.files["series_ports.csv"] += fmt.Sprintf("%d,s0,1,1000\n", at)
		}
		runs = append(runs, r)
	}
	drawings := drawingsOf(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", runs...)))))
	for _, pair := range [][2]string{{"ports-picture-0", "ports-picture-1"},
		{"collective-picture-0-0", "collective-picture-1-0"}} {
		a, b := axisOf(drawings[pair[0]]), axisOf(drawings[pair[1]])
		if a != b || a == "" {
			t.Errorf("%v: the axes are %q and %q", pair, a, b)
		}
	}
	heats := []picture.Heat{{Width: 10, Bins: 4}, {Width: 30, Bins: 2}}
	if levelOut(heats); heats[0].End != 60 || heats[1].End != 60 {
		t.Errorf("%+v", heats)
	}
}

// A share of a whole is in percent, with all digits in its title; a ratio is not.
func TestSharesAreInPercent(t *testing.T) {
	for _, c := range [][3]string{{"utilisation", "0.9942", "99.42 %"}, {"wait_share", "0.0262", "2.620 %"},
		{"wait_share_spine", "1", "100 %"}, {"jain", "0.9942", "0.9942"}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := measured(c[0], c[1], "x"); got.Text != c[2] || strings.HasSuffix(c[2], "%") && got.Title != c[1] {
				t.Errorf("%s of %s is %q, %q, want %q", c[0], c[1], got.Text, got.Title, c[2])
			}
		})
	}
}
