package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// longRun has more bins of a queue than a page shows: bin i is of length i, and every third
// has no row.
func longRun(bins int) fakeRun {
	var queues, flows strings.Builder
	queues.WriteString("variant,seed,time_us,node,port,queue,depth_max_bytes\n")
	flows.WriteString("variant,seed,time_us,flow,goodput_gbps\n")
	for i := range bins {
		if i%3 != 2 {
			fmt.Fprintf(&queues, "pc4,1,%v,s0,16,3,%d\n", float64(i)/2, i)
			fmt.Fprintf(&flows, "pc4,1,%v,a b,%d.25\n", float64(i)/2, i)
		}
	}
	return fakeRun{variant: "pc4", seed: 1, files: map[string]string{
		"queues.csv": "variant,seed,node,port,peer,queue,treatment,depth_max_bytes\n" +
			fmt.Sprintf("pc4,1,s0,16,h16,3,lossless,%d\n", bins),
		"series_queues.csv": queues.String(),
		"series_flows.csv":  flows.String(),
	}}
}

func stretchOf(t *testing.T, folder *Folder, file, column, where string, from, to int64) *Stretch {
	t.Helper()
	series, err := folder.ReadSeries(file, column)
	if err != nil {
		t.Fatal(err)
	}
	s, err := series.Stretch(where, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valuesOf(s *Stretch) string {
	text, _ := json.Marshal(s.Values)
	return string(text)
}

// A stretch equals the file, to the bin, if it is short enough; if not, bins are merged as on the page.
func TestStretch(t *testing.T) {
	folder := opened(t, "long", folderOf(t, "s", longRun(9000)))
	const queue, flow = "node=s0&port=16&queue=3", "flow=a+b"
	s := stretchOf(t, folder, "run-0/series_queues.csv", "depth_max_bytes", queue, 100e6, 102.4e6)
	if s.First != 200 || s.Width != 5e5 || s.Merged != 1 || valuesOf(s) != "[0,201,202,0,204]" {
		t.Errorf("%+v %s", s, valuesOf(s))
	}
	s = stretchOf(t, folder, "run-0/series_flows.csv", "goodput_gbps", flow, 100e6, 102.4e6)
	if s.First != 200 || s.Decimals != 2 || valuesOf(s) != "[null,201.25,202.25,null,204.25]" {
		t.Errorf("%+v %s", s, valuesOf(s))
	}
	s = stretchOf(t, folder, "run-0/series_queues.csv", "depth_max_bytes", queue, 0, 1<<60)
	if s.Merged != 3 || len(s.Values) != 3000 || string(s.Values[1000]) != "3001" {
		t.Errorf("all of it: %d merged to %d", len(s.Values), s.Merged)
	}
	s = stretchOf(t, folder, "run-0/series_flows.csv", "goodput_gbps", flow, 0, 1<<60)
	if s.Merged != 3 || string(s.Values[1000]) != "3000.75" {
		t.Errorf("all of it: %s of %d", s.Values[1000], s.Merged)
	}
	for _, empty := range [][2]int64{{5000e6, 6000e6}, {1 << 60, 1 << 61}, {7, -1 << 60}} {
		t.Run(fmt.Sprint(empty), func(t *testing.T) {
			s := stretchOf(t, folder, "run-0/series_queues.csv", "depth_max_bytes", queue, empty[0], empty[1])
			if len(s.Values) != 0 {
				t.Errorf("%v has %d values", empty, len(s.Values))
			}
		})
	}
}

// A value that an algorithm reported before a stretch holds in it.
func TestStretchOfAHeldValue(t *testing.T) {
	run := fakeRun{variant: "pc4", seed: 1, files: map[string]string{
		"series_values.csv": "variant,seed,time_us,flow,name,unit,value\n" +
			"pc4,1,0,a,alpha,,1\npc4,1,4,a,alpha,,0.5\npc4,1,10,a,alpha,,2.5e-1\n"}}
	folder := opened(t, "held", folderOf(t, "s", run))
	s := stretchOf(t, folder, "run-0/series_values.csv", "value", "flow=a&name=alpha", 6e6, 10e6)
	if s.Width != 2e6 || s.First != 3 || valuesOf(s) != "[0.50,null,0.25]" {
		t.Errorf("%+v %s", s, valuesOf(s))
	}
}

// Missing series are refused, and only files of series are read.
func TestNoSuchSeries(t *testing.T) {
	run := longRun(9)
	run.files["series_ports.csv"] = "variant,seed,time_us,node,port,tx_bytes\npc4,1,0,s0,0,x\n"
	folder := opened(t, "f", folderOf(t, "s", run))
	for _, c := range []struct{ file, column, want string }{
		{"run-0/queues.csv", "depth_max_bytes", "not a file of series"},
		{"manifest.json", "x", "not a file of series"},
		{"../f/run-0/series_queues.csv", "depth_max_bytes", "not a file of series"},
		{"series_queues.csv", "depth_max_bytes", "not a file of series"},
		{"run-0/series_tiers.csv", "tx_bytes", "recorded no"},
		{"run-0/series_queues.csv", "nothing", "has no column"},
		{"run-0/series_queues.csv", "node", "no values over time"},
		{"run-0/series_queues.csv", "variant", "no values over time"},
		{"run-0/series_ports.csv", "tx_bytes", "is damaged"},
	} {
		t.Run(fmt.Sprintf("file=%s,column=%s", c.file, c.column), func(t *testing.T) {
			if _, err := folder.ReadSeries(c.file, c.column); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v; want %q", c.file, c.column, err, c.want)
			}
		})
	}
	series, err := folder.ReadSeries("run-0/series_queues.csv", "depth_max_bytes")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := series.Stretch("node=s1&port=16&queue=3", 0, 1); err == nil {
		t.Error("a series that is not there was found")
	}
}

// A served page requests the bins that it has merged from its server, and nothing from anywhere else; the server has
// them. A page in a file does not request anything.
func TestServedPage(t *testing.T) {
	folder := opened(t, "long", folderOf(t, "s", longRun(9000)))
	var served bytes.Buffer
	at := Served{Series: "series", Back: "list", Runs: []string{"id&1"}}
	if err := WriteServed(&served, at, folder); err != nil {
		t.Fatal(err)
	}
	file := written(t, folder)
	root := parsed(t, served.String())
	asked := 0
	for _, p := range dataOf(t, root).Plots {
		for _, l := range p.Views[0].Lines {
			if l.Asks == "" {
				continue
			}
			asked++
			where, err := url.Parse(l.Asks)
			if err != nil || where.Path != "series" || where.Query().Get("run") != "id&1" {
				t.Fatalf("%s: %v", l.Asks, err)
			}
			q := where.Query()
			s := stretchOf(t, folder, q.Get("file"), q.Get("column"), q.Get("where"), 10e6, 12e6)
			if len(s.Values) != 5 || s.Merged != 1 || l.Merged < 2 {
				t.Errorf("%s: %+v", l.Asks, s)
			}
		}
	}
	if asked != 2 {
		t.Errorf("%d lines ask for more", asked)
	}
	back := 0
	each(root, func(n *html.Node) {
		if n.Data == "a" && attribute(n, "href") == "list" {
			back++
		}
	})
	if back != 1 || !strings.Contains(served.String(), "connect-src &#39;self&#39;") {
		t.Errorf("the served page has %d ways back, and policy %s", back, at.Policy())
	}
	for _, word := range []string{"fetch(", "connect-src", "\"asks\"", "All runs"} {
		t.Run(word, func(t *testing.T) {
			if strings.Contains(file, word) {
				t.Errorf("the page that is a file has %q", word)
			}
		})
	}
}
