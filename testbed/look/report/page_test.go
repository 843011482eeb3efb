package report

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

// plain is a run with one flow, one queue and a series of each.
func plain(variant string) fakeRun {
	return fakeRun{
		variant: variant,
		seed:    1,
		metrics: map[string]float64{"fct_p99_us": 12.5, "queue_max_bytes": 3000, "goodput_gbps": 40},
		files: map[string]string{
			"flows.csv": "flow,to,start_us,completed_us,slowdown\nf,h1,0.000000,20.000000,1.5\n",
			"queues.csv": "node,port,peer,queue,treatment,depth_max_bytes,kmin_bytes,kmax_bytes\n" +
				"s0,1,h1,3,lossless,3000,1000,4000\n",
			"series_queues.csv": "time_us,node,port,queue,depth_max_bytes\n0,s0,1,3,1000\n10,s0,1,3,3000\n",
			"series_flows.csv":  "time_us,flow,goodput_gbps,rate_gbps\n0,f,1.500,\n10,f,2.500,\n",
		},
	}
}

// Folders that are not valid run folders are refused by name.
func TestFoldersThatAreNoneAreRefused(t *testing.T) {
	whole := func() fstest.MapFS { return folderOf(t, "one", plain("a")) }
	for name, c := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"no manifest": {func(f fstest.MapFS) { delete(f, "manifest.json") }, "it is not a run folder"},
		"half manifest": {func(f fstest.MapFS) { f["manifest.json"].Data = f["manifest.json"].Data[:40] },
			"unexpected end of JSON input"},
		"another format": {replace("manifest.json", `"format":3`, `"format":7`),
			"is of format 7, and this rocelab reads"},
		"no runs":       {func(f fstest.MapFS) { replaceAll(f, folderOf(t, "one")) }, "no run of it was carried"},
		"no summary":    {func(f fstest.MapFS) { delete(f, "run-0/summary.json") }, "run-0/summary.json is missing"},
		"other summary": {replace("run-0/summary.json", "12.5", "12.6"), "run-0/summary.json was changed"},
		"other flows":   {replace("run-0/flows.csv", "1.5", "1.6"), "run-0/flows.csv was changed"},
		"no host file":  {func(f fstest.MapFS) { delete(f, "host.json") }, "there: host.json is missing: it was removed"},
		"no flows":      {func(f fstest.MapFS) { delete(f, "run-0/flows.csv") }, "run-0/flows.csv is missing"},
		"other series":  {replace("run-0/series_queues.csv", "3000", "3001"), "run-0/series_queues.csv was changed"},
		"outside": {func(f fstest.MapFS) {
			delete(f, "run-0/summary.json")
			replace("manifest.json", `"folder":"run-0"`, `"folder":"../up"`)(f)
		}, "manifest.json was changed"},
	} {
		files := whole()
		c.change(files)
		folder, err := Open("name", "there", files)
		if err == nil {
			err = Write(&strings.Builder{}, folder)
		}
		if err == nil || !strings.Contains(err.Error(), "there") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// replaceAll puts the files of another folder in the place of all.
func replaceAll(files, others fstest.MapFS) {
	clear(files)
	for name, file := range others {
		files[name] = file
	}
}

func replace(file, old, new string) func(fstest.MapFS) {
	return func(f fstest.MapFS) {
		f[file] = &fstest.MapFile{Data: []byte(strings.Replace(string(f[file].Data), old, new, 1))}
	}
}

// A cell that is not a number is named with its file, line and column.
func TestACellThatIsNoNumberIsRefused(t *testing.T) {
	r := plain("a")
	r.files["series_queues.csv"] = "time_us,node,port,queue,depth_max_bytes\n0,s0,1,3,many\n"
	err := Write(&strings.Builder{}, opened(t, "there", folderOf(t, "one", r)))
	if err == nil || !strings.Contains(err.Error(), `series_queues.csv:2:5 is damaged: depth_max_bytes: "many"`) {
		t.Error(err)
	}
}

// An impossible time does not make the page ask for more memory than there is.
func TestATimeThatNoRunHasIsRefused(t *testing.T) {
	for _, times := range [][2]string{{"0.000001", "99999999.000000"}, {"0.000000", "-1.000000"}} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			r := plain("a")
			r.files["series_flows.csv"] = "time_us,flow,goodput_gbps\n" + times[0] + ",f,1.0\n" + times[1] + ",f,1.0\n"
			err := Write(&strings.Builder{}, opened(t, "there", folderOf(t, "one", r)))
			if err == nil || !strings.Contains(err.Error(), "series_flows.csv") {
				t.Error(err)
			}
		})
	}
}

// Only the page's own script and style run, and no element has a style.
func TestThePolicyAllowsThePageAlone(t *testing.T) {
	page := written(t, opened(t, "run", folderOf(t, "one", plain("a"), plain("b"))))
	policy, scripts, styles := "", []string{}, []string{}
	each(parsed(t, page), func(n *html.Node) {
		switch {
		case n.Data == "meta" && attribute(n, "http-equiv") == "Content-Security-Policy":
			policy = attribute(n, "content")
		case n.Data == "script" && attribute(n, "type") == "":
			scripts = append(scripts, asset.Source(textOf(n)))
		case n.Data == "style":
			styles = append(styles, asset.Source(textOf(n)))
		case n.Data == "link" || n.Data == "iframe" || n.Data == "object" || n.Data == "base" || n.Data == "img":
			t.Errorf("the page has an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") || a.Key == "src" ||
				a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("%s has an attribute %s", n.Data, a.Key)
			}
		}
	})
	if len(scripts) != 1 || len(styles) != 1 {
		t.Fatalf("%d scripts and %d styles, one each is the page's own", len(scripts), len(styles))
	}
	want := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'",
		scripts[0], styles[0])
	if policy != want {
		t.Errorf("policy %q, want %q", policy, want)
	}
}

// Names with markup in them stay text, wherever they come.
func TestNamesAreNoMarkup(t *testing.T) {
	const evil = `</script><script>alert(1)</script><b onclick=x title='"'>&amp;`
	r := plain(evil)
	for file, text := range r.files {
		quoted := `"` + strings.ReplaceAll(evil, `"`, `""`) + `"`
		text = strings.ReplaceAll(text, "f,", quoted+",")
		r.files[file] = strings.ReplaceAll(text, "s0,", quoted+",")
	}
	r.files["series_flows.csv"] = strings.ReplaceAll(r.files["series_flows.csv"], "h1", evil)
	folder := opened(t, evil, folderOf(t, evil, r))
	other := opened(t, "other", folderOf(t, evil, plain("b")))
	for _, page := range []string{written(t, folder), written(t, folder, other)} {
		t.Run(fmt.Sprintf("%.50q", page), func(t *testing.T) {
			root := parsed(t, page)
			scripts := 0
			each(root, func(n *html.Node) {
				if n.Data == "script" {
					scripts++
				}
				if n.Data == "b" {
					t.Error("a name has become an element")
				}
			})
			if scripts != 2 {
				t.Errorf("%d scripts, 2 are the page's own", scripts)
			}
			if title := textOf(byID(t, root, "verdict")); !strings.Contains(title, evil) {
				t.Errorf("the name is not on the page: %q", title)
			}
			if views := dataOf(t, root).Plots[0].Views; !strings.Contains(views[0].Label, evil) {
				t.Errorf("the name is not in the data: %q", views[0].Label)
			}
		})
	}
}

// A run without series, one with empty files, and one with nothing at all have a page that reports it.
func TestEmptyRunsHaveAPage(t *testing.T) {
	bare := fakeRun{variant: "bare"}
	empty := plain("empty")
	for file, text := range empty.files {
		head, _, _ := strings.Cut(text, "\n")
		empty.files[file] = head + "\n"
	}
	for _, r := range []fakeRun{bare, empty} {
		root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
		for id, want := range map[string]string{"queue": noSeries, "rate": noFlows, "pause": "No port was paused"} {
			t.Run(id, func(t *testing.T) {
				if text := textOf(byID(t, root, id)); !strings.Contains(text, want) {
					t.Errorf("%s: %s: %q", r.variant, id, text)
				}
			})
		}
		if plots := dataOf(t, root).Plots; len(plots) != 0 {
			t.Errorf("%s: %d pictures", r.variant, len(plots))
		}
	}
}

// A long text, such as the flows beside one, has several lines in its cell, so that the columns
// behind it are near; a number and a short text have one.
func TestLongTextsHaveLines(t *testing.T) {
	for text, want := range map[string]string{
		"pc4":                       "",
		"123456789":                 "n",
		strings.Repeat("flow; ", 8): "long",
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			var out strings.Builder
			row := tableRow{Head: cell{Text: "run"}, Cells: []cell{{Text: text}}}
			filled := table{ID: "t", Head: heads("a", "b"), Rows: []tableRow{row}}
			if err := pageTemplate.ExecuteTemplate(&out, "table", filled); err != nil {
				t.Fatal(err)
			}
			each(parsed(t, out.String()), func(n *html.Node) {
				if n.Data == "td" && attribute(n, "class") != want {
					t.Errorf("%q has the class %q", text, attribute(n, "class"))
				}
			})
		})
	}
}

// One bin is a point of its own width, if the recording has the width of bins.
func TestOneBinIsDrawn(t *testing.T) {
	r := plain("a")
	r.files["series_queues.csv"] = "time_us,node,port,queue,depth_max_bytes\n40,s0,1,3,1000\n"
	files := folderOf(t, "one", r)
	lines := dataOf(t, parsed(t, written(t, opened(t, "run", files)))).Plots[0].Views[0].Lines
	if len(lines) != 1 || lines[0].First != 1 || lines[0].Width != 40_000_000 {
		t.Errorf("%+v", lines)
	}
}

// Of many variants the rates of the first are drawn, and the page stays small. Tier: everyday.
func TestManyVariantsAreASmallPage(t *testing.T) {
	tier.Everyday(t)
	var runs []fakeRun
	for i := range 64 {
		r := plain(fmt.Sprint("v", i))
		var flows, series strings.Builder
		flows.WriteString("flow,to,start_us,completed_us,slowdown\n")
		series.WriteString("time_us,flow,goodput_gbps,rate_gbps\n")
		for flow := range 16 {
			fmt.Fprintf(&flows, "f%d,h1,0.000000,300.000000,%d\n", flow, flow+1)
			for bin := range 256 {
				fmt.Fprintf(&series, "%d,f%d,%d.000,%d.000\n", bin, flow, bin*bin*7919%9973, bin*bin*7907%9967)
			}
		}
		r.files["flows.csv"], r.files["series_flows.csv"] = flows.String(), series.String()
		runs = append(runs, r)
	}
	page := written(t, opened(t, "run", folderOf(t, "one", runs...)))
	if len(page) > 5<<20 {
		t.Errorf("%d bytes", len(page))
	}
	root := parsed(t, page)
	drawn := 0
	for _, p := range dataOf(t, root).Plots {
		if strings.HasPrefix(p.ID, "rate-plot") {
			drawn++
		}
	}
	want := fmt.Sprintf("The first %d of 64 variants are drawn", drawn)
	if text := textOf(byID(t, root, "rate")); drawn == 0 || drawn == 64 || !strings.Contains(text, want) {
		t.Errorf("%d are drawn, and the page does not say %q", drawn, want)
	}
}

// Many flows are a band of percentiles, and the page stays small. Tier: -short, some 0.3 s.
func TestManyFlowsAreABand(t *testing.T) {
	r := plain("a")
	var flows, series strings.Builder
	flows.WriteString("flow,to,start_us,completed_us,slowdown\n")
	series.WriteString("time_us,flow,goodput_gbps\n")
	for i := range 10_000 {
		fmt.Fprintf(&flows, "f%d,h1,0.000000,20.000000,%d\n", i, i)
		for bin := range 10 {
			fmt.Fprintf(&series, "%d,f%d,%d.000\n", bin*10, i, i+bin)
		}
	}
	r.files["flows.csv"], r.files["series_flows.csv"] = flows.String(), series.String()
	page := written(t, opened(t, "run", folderOf(t, "one", r)))
	if len(page) > 1<<20 {
		t.Errorf("the page has %d B", len(page))
	}
	root := parsed(t, page)
	if rows := strings.Count(textOf(byID(t, root, "slow-flows")), "f9"); rows < rowsShown {
		t.Errorf("%d of the slowest flows are in their table", rows)
	}
	for _, p := range dataOf(t, root).Plots {
		if p.ID != "rate-plot-0" {
			continue
		}
		lines := p.Views[0].Lines
		for i, want := range []int64{499_000, 9_499_000, 4_999_000} {
			t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
				if got := decodeValues(t, lines[i].Data)[0]; got != want {
					t.Errorf("%s: %d at first, want %d", lines[i].Name, got, want)
				}
			})
		}
		return
	}
	t.Error("there is no picture of rates")
}

// Long series are cut to bins that are as wide as several, with what each was for.
func TestBinsAreMerged(t *testing.T) {
	values := []int64{1, 5, gap, 3, 2, 9, gap, gap}
	for how, want := range map[merging][]int64{
		largest: {1, 5, 9, gap}, sum: {1, 8, 11, gap}, mean: {1, 4, 5, gap}, last: {1, 3, 9, gap},
	} {
		t.Run(fmt.Sprintf("how=%v", how), func(t *testing.T) {
			first, got := merge(2, values, 3, how)
			if first != 0 || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%d: from %d %v, want %v", how, first, got, want)
			}
		})
	}
}

// Runs of different scenarios come side by side, with their tables and without pictures that lay
// them over each other.
func TestDifferentScenariosShareNoPicture(t *testing.T) {
	one, two := opened(t, "x", folderOf(t, "one", plain("a"))), opened(t, "y", folderOf(t, "two", plain("a")))
	page := written(t, one, two)
	if !strings.Contains(page, "runs of different scenarios") || strings.Contains(page, `id="queue-plot"`) ||
		strings.Contains(page, `id="completion-picture"`) || !strings.Contains(page, `id="completion-table"`) {
		t.Error("the page lays different scenarios over each other")
	}
	if !strings.Contains(page, `<section id="metrics"`) || strings.Contains(page, `<section id="comparison"`) {
		t.Error("the page has not the tables of both runs, and no comparison")
	}
	if !strings.Contains(page, "x/a") || !strings.Contains(page, "y/a") || !strings.Contains(page, `id="rate-plot-1"`) {
		t.Error("the page has not both runs")
	}
	same := written(t, one, opened(t, "z", folderOf(t, "one", plain("b"))))
	if lines := dataOf(t, parsed(t, same)).Plots[0].Views[0].Lines; len(lines) != 2 {
		t.Errorf("%d lines, of two runs of one scenario", len(lines))
	}
}

// The page that a run writes is the one that its folder gives later.
func TestThePageIsTheSameLater(t *testing.T) {
	files := folderOf(t, "one", plain("a"), plain("b"))
	folder := opened(t, "run", files)
	unfinished, err := Unfinished(files, folder.manifest)
	if err != nil {
		t.Fatal(err)
	}
	if written(t, folder) != written(t, unfinished) {
		t.Error("the pages differ")
	}
}

// A page of many runs is small: 60 runs of 32 flows and 32 queues, 200 bins each. Tier: everyday.
func TestManyRunsStaySmall(t *testing.T) {
	tier.Everyday(t)
	var queues, depths, rates strings.Builder
	queues.WriteString("node,port,peer,queue,treatment,depth_max_bytes\n")
	depths.WriteString("time_us,node,port,queue,depth_max_bytes\n")
	rates.WriteString("time_us,flow,goodput_gbps,rate_gbps\n")
	for i := range 32 {
		fmt.Fprintf(&queues, "s0,%d,h%d,3,lossless,%d\n", i, i, i)
		for bin := range 200 {
			fmt.Fprintf(&depths, "%d,s0,%d,3,%d\n", bin*10, i, (bin*7919+i)%1_000_000)
			fmt.Fprintf(&rates, "%d,f%d,%d.%03d,%d.000\n", bin*10, i, bin%100, (bin*7919+i)%1000, bin%7)
		}
	}
	var runs []fakeRun
	for i := range 60 {
		r := plain(fmt.Sprintf("v%d", i%6))
		r.seed = uint64(i)
		r.files["queues.csv"], r.files["series_queues.csv"] = queues.String(), depths.String()
		r.files["series_flows.csv"] = rates.String()
		runs = append(runs, r)
	}
	one := written(t, opened(t, "run", folderOf(t, "one", runs[0])))
	if len(one) > 1<<20 {
		t.Errorf("the page of a run has %d B", len(one))
	}
	page := written(t, opened(t, "run", folderOf(t, "one", runs...)))
	if len(page) > 2<<20 {
		t.Errorf("the page has %d B", len(page))
	}
}
