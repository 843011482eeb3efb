package report

import (
	"strings"
	"testing"
)

// A run with outages has a strip for each, and a table with the figures as they are in the file; one without has no
// such section.
func TestOutageSection(t *testing.T) {
	r := plain("a")
	r.files["outages.csv"] = "link,from_us,to_us,detected_us,settled_us,restored_us,void_frames,flushed_frames," +
		"no_route_frames,flows,unrecovered_flows,recovery_max_us,victims,longest_flow,link_us,switch_us,neighbours_us," +
		"nak_timer_us,rto_us,rest_us\n" +
		"l0-s0,500.000000,3000.000000,600.000000,800.000000,3500.000000,4787,12,2324,3,0,611.599044,f0; f1,f0,0.000000," +
		"100.000000,200.000000,303.221790,0.000000,8.377254\n" +
		"l0-s1,700.000000,900.000000,700.000000,,900.000000,5,0,0,0,0,,,,,,,,,\n"
	files := folderOf(t, "one", r)
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	text := descOf(t, drawingsOf(t, root), "outage-picture-0-0")
	want := "down at 500 us. detected, 12 frames flushed at 600 us. all switches know at 800 us. f0 goes on at " +
		"1111.6 us. up at 3000 us. used again at 3500 us. f0 went on last: 100 us into the void. 200 us no route. " +
		"303.222 us NAK timer."
	if !strings.HasPrefix(text, want) {
		t.Errorf("%s\nwant %s", text, want)
	}
	if text := descOf(t, drawingsOf(t, root), "outage-picture-1-0"); text != "down at 700 us. up at 900 us." {
		t.Error(text)
	}
	if table := textOf(byID(t, root, "outages")); !strings.Contains(table, "4787") || !strings.Contains(table, "l0-s1") {
		t.Error(table)
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
	if page := written(t, opened(t, "run", folderOf(t, "one", plain("a")))); strings.Contains(page, "Outages of links") {
		t.Error("a run without outages has a section on them")
	}
}
