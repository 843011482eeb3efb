package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// drawingsOf are the pictures of a page, by the figure's id: their elements.
func drawingsOf(t testing.TB, root *html.Node) map[string]*html.Node {
	t.Helper()
	found := map[string]*html.Node{}
	each(root, func(n *html.Node) {
		if n.Data == "svg" && attribute(n, "class") == "picture" {
			found[attribute(n.Parent.Parent, "id")] = n
		}
	})
	return found
}

// descOf returns a picture's own description.
func descOf(t testing.TB, drawings map[string]*html.Node, id string) string {
	t.Helper()
	if drawings[id] == nil {
		t.Fatalf("there is no picture %s", id)
	}
	var text string
	each(drawings[id], func(n *html.Node) {
		if n.Data == "desc" {
			text = textOf(n)
		}
	})
	return text
}

// A curve has the flows of all seeds that have a size; the picture of sizes is there where
// the file is. A picture has no style of its own, and gets it when it leaves.
func TestCompletionTimes(t *testing.T) {
	runs := []fakeRun{plain("a"), plain("a"), plain("b")}
	for i := range runs {
		runs[i].files["flows.csv"] = "flow,size_bytes,start_us,completed_us,slowdown\nf,10,0,1,1.5\ng,10,0,1,2.5\n" +
			"h,10,0,,\nendless,0,0,,\n"
	}
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", runs...))))
	drawings := drawingsOf(t, root)
	text := descOf(t, drawings, "completion-picture")
	for _, want := range []string{"a: 4 of 6 flows, median 1.5, 99th percentile 2.5", "b: 2 of 3 flows"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q has no %q", text, want)
			}
		})
	}
	if drawings["sizes-picture-0"] != nil {
		t.Error("sizes are drawn, and there is no file of them")
	}
	runs[0].files["slowdown_by_size.csv"] = "group,size_min_bytes,size_max_bytes,flows,completed," +
		"slowdown_p50,slowdown_p99\n" +
		"g,1,1000,5,5,1.25,7.5\ng,1001,2000,5,0,,\n"
	files := folderOf(t, "one", runs...)
	page := written(t, opened(t, "run", files))
	if drawingsOf(t, parsed(t, page))["sizes-picture-0"] == nil {
		t.Error("sizes are not drawn")
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
	bins := textOf(byID(t, parsed(t, page), "sizes-table"))
	if !strings.Contains(bins, "7.5") || !strings.Contains(bins, "2000") {
		t.Errorf("a bin is in no table: %s", bins)
	}
	paper := dataOf(t, root).Paper
	if paper != picture.Paper || xml.Unmarshal([]byte("<a>"+paper+"</a>"), &struct{}{}) != nil {
		t.Errorf("a picture leaves with %q", paper)
	}
}
