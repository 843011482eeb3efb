package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const whyHead = "flow,time_us,alone_us,shared_us,unfair_us,held_back_us,collision_us,queued_us,paused_us,repair_us," +
	"host_us,unresolved_us,bottleneck,takers\n"

// explained is a run of four flows of one traffic and one of another, with the parts of their times.
func explained(variant string) fakeRun {
	r := plain(variant)
	r.files["flows.csv"] = "flow,group,to,size_bytes,start_us,completed_us,slowdown,goodput_gbps\n" +
		"f,in,h1,10,0.000000,20.000000,2.0,4.000\ng,in,h1,10,0.000000,40.000000,4.0,2.000\n" +
		"h,in,h1,10,0.000000,10.000000,1.0,8.000\ni,in,h1,10,0.000000,30.000000,3.0,2.500\n" +
		"x,big,h1,90,0.000000,90.000000,1.0,8.000\n"
	r.files["why.csv"] = whyHead +
		"f,20.000000,10.000000,10.000000,0,0,0,0,0,0,0,0,s0:1,\n" +
		"g,40.000000,8.000000,12.000000,4.000000,16.000000,0,0,0,0,0,0,s0:1,f; h; i\n" +
		"h,10.000000,10.000000,0,0,0,0,0,0,0,0,0,,\n" +
		"i,30.000000,10.000000,20.000000,0,0,0,0,0,0,0,0,s0:1,\n" +
		"x,90.000000,90.000000,0,0,0,0,0,0,0,0,0,,\n"
	r.files["series_flows.csv"] = "time_us,flow,goodput_gbps,rate_gbps\n0,f,1.500,\n10,f,2.500,\n0,g,1.500,\n10,g,2.500,\n"
	r.files["ports.csv"] = "node,port,peer,rate_gbps\ns0,1,h1,100.000\n"
	r.files["series_ports.csv"] = "time_us,node,port,tx_bytes,paused_us\n0,s0,1,125000,0\n10,s0,1,62500,0\n"
	return r
}

var place = regexp.MustCompile(`^([\d.]+)%$`)

// lengthsOf are the parts of a bar in percent of the axis, by their names.
func lengthsOf(t *testing.T, row *html.Node) map[string]float64 {
	t.Helper()
	lengths := map[string]float64{}
	each(row, func(n *html.Node) {
		name, part := strings.CutPrefix(attribute(n.Parent, "class"), "part-")
		width := place.FindStringSubmatch(attribute(n, "width"))
		if n.Data != "rect" || !part || width == nil {
			return
		}
		length, err := strconv.ParseFloat(width[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		lengths[name] = length
	})
	return lengths
}

// The page opens with the slowest flow of each variant, the median and the fastest of its traffic, on one axis that
// ends with the longest of them: 40 us.
func TestThePageOpensWithTheParts(t *testing.T) {
	a, b := explained("a"), explained("b")
	b.files["why.csv"] = strings.Replace(b.files["why.csv"], "g,40.000000,8.000000,12.000000,4.000000,16.000000",
		"g,30.000000,8.000000,22.000000,0,0", 1)
	files := folderOf(t, "one", a, b)
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	for id, want := range map[string]map[string]float64{
		"why-0-0": {"alone": 20, "shared": 30, "unfair": 10, "held-back": 40},
		"why-0-1": {"alone": 20, "shared": 55},
		"why-1-0": {"alone": 25, "shared": 50}, // i: of four flows the median is the second
		"why-2-0": {"alone": 25},
	} {
		t.Run(id, func(t *testing.T) {
			if got := lengthsOf(t, byID(t, root, id)); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", id, got, want)
			}
		})
	}
	said := textOf(byID(t, root, "why"))
	for _, want := range []string{
		"a: g took 40 us: 16 us held back by its NIC while s0:1 was idle, 4 us lost to f, h and i with more than a fair " +
			"share, 12 us for its fair share of s0:1",
		"b: g took 30 us: 22 us for its fair share of s0:1",
		"the slowest flow of a takes 10 us longer than that of b (one seed): 16 us more held back, 10 us less shared, " +
			"4 us more unfair",
	} {
		t.Run(fmt.Sprintf("%.50q", want), func(t *testing.T) {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in %q", want, said)
			}
		})
	}
	if strings.Contains(said, "90 us") {
		t.Error("a flow of other traffic is the fastest")
	}
	if at, next := strings.Index(page, `id="why"`), strings.Index(page, `id="slow"`); at < 0 || at > next {
		t.Error("it is not the first section")
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
}

// A flow of other traffic is shown beside the slowest if it lost a tenth of its time, and named if there is one
// variant.
func TestOtherTrafficIsShown(t *testing.T) {
	r := explained("a")
	all, lost := "x,90.000000,90.000000,0,0,", "x,90.000000,50.000000,0,40,"
	r.files["why.csv"] = strings.Replace(r.files["why.csv"], all, lost, 1)
	said := textOf(byID(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", r)))), "why"))
	for _, want := range []string{"Slowest flow of big", "a: x took 90 us: 40 us lost to others"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in %q", want, said)
			}
		})
	}
}

// A bar leads to what the page has of its flow, and to nothing else.
func TestBarsLeadToElements(t *testing.T) {
	r := explained("a")
	r.files["slow_flows.csv"] = strings.ReplaceAll(slowFiles["slow_flows.csv"], "y,", "g,")
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	for id, want := range map[string]string{
		"why-0-0": "rate-plot-0 rate-plot-0 queue-plot slow-ports", // the bar, then its links
		"why-1-0": "queue-plot queue-plot",                         // i has no line
		"why-2-0": "",                                              // h has neither
	} {
		t.Run(id, func(t *testing.T) {
			var links []string
			each(byID(t, root, id), func(n *html.Node) {
				if to, found := strings.CutPrefix(attribute(n, "href"), "#"); found {
					byID(t, root, to)
					links = append(links, to)
				}
			})
			if got := strings.Join(links, " "); got != want {
				t.Errorf("%s leads to %q, want %q", id, got, want)
			}
		})
	}
}

// The bottleneck's utilisation is its sent bytes over its capacity: 125 KB in 10 us are 100 Gb/s.
func TestUtilisationOfTheBottleneck(t *testing.T) {
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", explained("a"), explained("b")))))
	lines := linesOf(t, root, "bottleneck-utilisation", 0)
	if len(lines) != 2 || lines[1].Name != "b" || lines[1].Decimals != 1 {
		t.Fatalf("%+v", lines)
	}
	if got := decodeValues(t, lines[1].Data); !slices.Equal(got, []int64{1000, 500}) {
		t.Errorf("%v per mille", got)
	}
	if lines := linesOf(t, root, "bottleneck-queue", 0); len(lines) != 2 || decodeValues(t, lines[0].Data)[1] != 3000 {
		t.Errorf("%+v", lines)
	}
}

// An incomplete flow comes before the slowest complete one, and the sentence reports that.
func TestAFlowThatDidNotCompleteIsTheSlowest(t *testing.T) {
	r := explained("a")
	r.files["flows.csv"] = strings.Replace(r.files["flows.csv"], "20.000000,2.0,", ",,", 1)
	said := textOf(byID(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", r)))), "why"))
	if !strings.Contains(said, "a: f was not complete after 20 us: ") || !strings.Contains(said, "20 us not complete") {
		t.Error(said)
	}
}

// Without the file of causes there is no such section, and of different scenarios no picture that compares them.
func TestFoldersWithoutCauses(t *testing.T) {
	if page := written(t, opened(t, "run", folderOf(t, "one", plain("a")))); strings.Contains(page, `id="why"`) {
		t.Error("there is a section")
	}
	a, b := opened(t, "one", folderOf(t, "one", explained("a"))), opened(t, "two", folderOf(t, "two", explained("a")))
	page := written(t, a, b)
	if !strings.Contains(page, `id="why-0-1"`) || strings.Contains(page, `id="bottleneck`) ||
		strings.Contains(page, "longer than that of") {
		t.Error("of different scenarios the page compares something, or has no bars")
	}
}

// A page of bars and no picture has an empty list for its script.
func TestBarsWithoutPictures(t *testing.T) {
	r := explained("a")
	for _, name := range []string{"series_flows.csv", "series_queues.csv", "series_ports.csv"} {
		delete(r.files, name)
	}
	page := written(t, opened(t, "run", folderOf(t, "one", r)))
	if !strings.Contains(page, `id="why-bars"`) || !strings.Contains(page, `"plots":[]`) {
		t.Error("the page has no bars, or no list")
	}
}

// A column of zeros is left out, judged by the file's values, and the page reports it; one with a number other than 0
// stays.
func TestColumnsOfZerosAreLeftOut(t *testing.T) {
	zero := cell{Text: "0 B", Title: "0"}
	got := table{
		Head: []cell{{Text: "run"}, {Text: "node"}, {Text: "a"}, {Text: "b"}, {Text: "c"}},
		Rows: []tableRow{
			{Head: cell{Text: "x"}, Cells: []cell{{Text: "0"}, zero, {Text: "0.0000"}, {Text: "-"}}},
			{Head: cell{Text: "y"}, Cells: []cell{{Text: "0"}, zero, {Text: "0.0100"}, {Text: "0"}}},
		},
	}.withoutZeros(2, "f.csv")
	if fmt.Sprint(got.Head) != "[{run   } {node   } {b   }]" || got.Rows[1].Cells[1].Text != "0.0100" ||
		got.LeftOut != "Columns of zeros are only in f.csv." {
		t.Errorf("%+v", got)
	}
}

// Among more than four flows the slowest, the median and the fastest are marked and drawn above the rest, and with
// enough flows for a band they are drawn as well.
func TestFlowsThatAreMarked(t *testing.T) {
	for _, flows := range []int{4, 5, 40} {
		t.Run(fmt.Sprintf("flows=%v", flows), func(t *testing.T) {
			r := explained("a")
			r.files["flows.csv"] = "flow,group,to,size_bytes,start_us,completed_us,slowdown\n"
			r.files["why.csv"], r.files["series_flows.csv"] = whyHead, "time_us,flow,goodput_gbps,rate_gbps\n"
			for i := range flows { // f0 is the slowest
				r.files["flows.csv"] += fmt.Sprintf("f%d,in,h1,10,0.000000,20.000000,%d.0\n", i, 50-i)
				r.files["why.csv"] += fmt.Sprintf("f%d,20.000000,10.000000,10.000000,0,0,0,0,0,0,0,0,s0:1,\n", i)
				r.files["series_flows.csv"] += fmt.Sprintf("0,f%d,1.500,\n10,f%[1]d,2.500,\n", i)
			}
			var got []string
			for _, l := range linesOf(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", r)))), "rate-plot-0", 0) {
				if l.Kind == stepLine {
					got = append(got, l.Name+" "+l.Mark)
				}
			}
			want := map[int]string{
				4:  "f0 , f1 , f2 , f3 ",
				5:  "f1 rest, f3 rest, f2 median, f4 fastest, f0 slowest",
				40: "median of 40 flows , f19 median, f39 fastest, f0 slowest",
			}[flows]
			if strings.Join(got, ", ") != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
