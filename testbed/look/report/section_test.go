package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// timing describes how a live run kept the clock.
var timing = map[string]any{
	"verdict":  "amber",
	"dilation": 1000,
	"lag": map[string]any{"count": 5, "p50_us": 1.25, "p99_us": 3.5, "p99.9_us": 4.0, "max_us": 41.5,
		"histogram": []any{map[string]any{"to_us": 1.3, "samples": 4}, map[string]any{"to_us": 41.5, "samples": 1}}},
	"standstills": []any{map[string]any{"at_model_us": 12.5, "took_ms": 8.0, "who": "<the host>"}},
	"clock_steps": 2,
	"edges": []any{map[string]any{
		"edge": "e0", "received": 7, "sent": 9,
		"lateness": map[string]any{"count": 9, "p50_us": 0.5, "p99_us": 2.5, "p99.9_us": nil, "max_us": 77.25,
			"histogram": []any{map[string]any{"to_us": 77.25, "samples": 9}}},
		"lost_outside": map[string]any{"ring": 3},
	}},
}

// A live run has a section on time, and but for that its page is the one of a run that
// was not live.
func TestALiveRunHasASectionOfItsOwn(t *testing.T) {
	live := plain("a")
	live.timing = timing
	page := written(t, opened(t, "run", folderOf(t, "one", live)))
	root := parsed(t, page)
	section := byID(t, root, "live")
	text := textOf(section)
	for _, want := range []string{"AMBER", "1000", "1.25", "41.5", "77.25", "<the host>", "12.5", "e0"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("the section has no %s: %s", want, text)
			}
		})
	}
	for id, want := range map[string]string{
		"live-lag":   "a: 5 samples, none later than 41.5 us.",
		"live-left":  "a at e0: 9 samples, none later than 77.25 us.",
		"live-taken": "Nothing was late.",
	} {
		t.Run(id, func(t *testing.T) {
			if got := descOf(t, drawingsOf(t, section), id); !strings.Contains(got, want) {
				t.Errorf("%s: %s", id, got)
			}
		})
	}
	begin, end := strings.Index(page, `<section id="live"`), strings.Index(page, `<section id="verdict"`)
	rest := page[:begin] + page[end:]
	if other := written(t, opened(t, "run", folderOf(t, "one", plain("a")))); rest != other {
		t.Error("the rest of a live run's page is not the page of the run")
	}
}

// A live run whose clock was not kept is headed by that: its tiles, which know nothing of the
// host, may say that it passed.
func TestARedVerdictIsAboveTheTiles(t *testing.T) {
	live := plain("a")
	live.timing = timing
	page := written(t, opened(t, "run", folderOf(t, "one", live)))
	red, tiles := strings.Index(page, `<p class="verdict amber">AMBER</p>`), strings.Index(page, `class="tiles"`)
	if red < 0 || red > tiles {
		t.Errorf("the verdict with time is at byte %d, the tiles are at %d", red, tiles)
	}
}

// A run without flows of the models, for instance with foreign hosts only, reports that, and not that it recorded
// nothing.
func TestARunWithoutFlowsSaysSo(t *testing.T) {
	for _, c := range []struct{ flows, want, not string }{
		{"flow,to,start_us,completed_us,slowdown\n", noFlows, noSeries},
		{"flow,to,start_us,completed_us,slowdown\nf,h1,0.000000,,\n", noSeries, noFlows},
	} {
		t.Run(c.not, func(t *testing.T) {
			run := plain("a")
			run.files["flows.csv"] = c.flows
			delete(run.files, "series_flows.csv")
			page := written(t, opened(t, "run", folderOf(t, "one", run)))
			text := textOf(byID(t, parsed(t, page), "rate"))
			if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
				t.Errorf("of %q the section says %s", c.flows, text)
			}
		})
	}
}

// linesOf are the lines of a plot's view.
func linesOf(t *testing.T, page *html.Node, id string, view int) []line {
	t.Helper()
	for _, p := range dataOf(t, page).Plots {
		if p.ID == id {
			return p.Views[view].Lines
		}
	}
	t.Fatalf("there is no picture %s", id)
	return nil
}

// Flows share the link to their receiver: four at first, then the ones that have not completed. Events of a flow are
// marked on its line.
func TestFairShareAndSignals(t *testing.T) {
	r := plain("a")
	r.files["ports.csv"] = "node,port,peer,rate_gbps\ns0,0,h0,25.000\ns0,1,h1,100.000\n"
	r.files["flows.csv"] = "flow,to,start_us,completed_us\nf,h1,0.000000,30.000000\ng,h1,0.000000,15.000000\n" +
		"h,h1,10.000000,\ni,h1,0.000000,30.000000\n"
	r.files["series_flows.csv"] = "time_us,flow,goodput_gbps,cnps_received,naks_received,timeouts\n" +
		"0,f,1.500,0,0,0\n10,f,2.500,3,0,0\n0,g,1.000,0,0,1\n10,g,1.000,0,0,0\n" +
		"20,h,1.000,0,0,0\n"
	lines := linesOf(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", r)))), "rate-plot-0", 0)
	kinds := map[string][]int64{}
	for _, l := range lines {
		name := l.Name
		if l.Kind == dotLine {
			name += " of " + lines[l.On].Name
		}
		kinds[name] = decodeValues(t, l.Data)
	}
	for name, want := range map[string][]int64{
		"fair share of the link": {33_333, 25_000, 33_333},
		"CNP of f":               {0, 3},
		"timeout of g":           {1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := kinds[name]; !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		})
	}
	if len(lines) != 6 {
		t.Errorf("%d lines", len(lines))
	}
}

// For a large run the groups are drawn, and unrecorded series are named.
func TestGroupsComeInPlaceOfFlows(t *testing.T) {
	r := plain("a")
	delete(r.files, "series_flows.csv")
	r.files["series_groups.csv"] = "time_us,group,goodput_gbps\n0,all,9000.500\n16,all,1.000\n"
	r.recording = map[string]any{"width_us": 16, "bins": 2, "left_out": []string{"1024 flows: too many <of them>"}}
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	if lines := linesOf(t, root, "rate-plot-0", 0); len(lines) != 1 || lines[0].Name != "all" || lines[0].Width != 16e6 {
		t.Errorf("%+v", lines)
	}
	if text := textOf(byID(t, root, "queue")); !strings.Contains(text, "1024 flows: too many <of them>") {
		t.Error("the page does not say what was left out")
	}
}

// Each file has bins of a width of its own. Tier: -short. Red where the recording's is taken.
func TestWidthsOfFiles(t *testing.T) {
	r := plain("a")
	r.recording = map[string]any{"width_us": 10, "bins": 6, "widths_us": map[string]any{"series_queues.csv": 20}}
	r.files["series_queues.csv"] = "time_us,node,port,queue,depth_max_bytes\n0,s0,1,3,1000\n40,s0,1,3,3000\n"
	page := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	for plot, want := range map[string]int64{"queue-plot": 20_000_000, "rate-plot-0": 10_000_000} {
		t.Run(plot, func(t *testing.T) {
			if lines := linesOf(t, page, plot, 0); len(lines) == 0 || lines[0].Width != want {
				t.Errorf("%s: %+v, want a width of %d", plot, lines, want)
			}
		})
	}
}

// Pauses are marks at the upper edge of the queue that they held, and Kmin and Kmax
// levels.
func TestPausesAndLevels(t *testing.T) {
	r := plain("a")
	r.files["series_ports.csv"] = "time_us,node,port,paused_us\n0,s0,1,0\n10,s0,1,2.5\n"
	page := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	lines := linesOf(t, page, "queue-plot", 0)
	if len(lines) != 2 || lines[1].Kind != tickLine || decodeValues(t, lines[1].Data)[1] != 25 {
		t.Errorf("%+v", lines)
	}
	levels := dataOf(t, page).Plots[0].Views[0].Levels
	if len(levels) != 2 || levels[0].Value != 1000 || levels[1].Value != 4000 {
		t.Errorf("%+v", levels)
	}
}

// The card has the largest difference, but not for void runs.
func TestTheCardHasTheSentence(t *testing.T) {
	a, b := plain("a"), plain("b")
	a.metrics["duration_us"], b.metrics["duration_us"] = 10, 30
	card := func() string {
		return textOf(byID(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", a, b)))), "verdict"))
	}
	if text := card(); !strings.Contains(text, "a ends 3.00 times earlier than b") {
		t.Error(text)
	}
	b.verdict = "void"
	if text := card(); strings.Contains(text, "earlier") || !strings.Contains(text, "VOID") {
		t.Error(text)
	}
}

// The log of a flow is drawn on the time of all pictures: a line a run for each quantity,
// with what happened.
func TestLifeOfAFlow(t *testing.T) {
	r := plain("a")
	r.files["events/f.sender.jsonl"] = `{"rocelab_event_log":1,"flow":0,"name":"f","end":"sender","algorithm":"dcqcn",` +
		`"version":"1.0.0","params":{},"signals":{},"facts":{"line_rate_bps":100000000000}}
{"n":1,"t_ps":1000000,"event":"start"}
{"n":2,"t_ps":1500000,"event":"CNP","inflight_bytes":700,"decision":{"rate_bps":50000000000}}
{"n":3,"t_ps":2500000,"event":"ACK","acked_bytes":100,"inflight_bytes":600,"rtt_ps":4000000}
`
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	for id, want := range map[string]int64{
		"life-0-rate": 50_000_000_000, "life-0-inflight": 600, "life-0-rtt": 4_000_000,
	} {
		t.Run(id, func(t *testing.T) {
			lines := linesOf(t, root, id, 0)
			values := decodeValues(t, lines[0].Data)
			if last := values[len(values)-1]; last != want {
				t.Errorf("%s: at last %d, want %d", id, last, want)
			}
			if id == "life-0-rate" && values[100] != 100_000_000_000 { // what was decided holds
				t.Errorf("%d before the CNP", values[100])
			}
			if marks := len(lines) - 1; marks != map[string]int{"life-0-rate": 1}[id] {
				t.Errorf("%s: %d marks", id, marks)
			}
		})
	}
}

// A value that the algorithm reports about itself is drawn below its decisions, with its unit and as exact as there is
// room for: it holds until the next report, and nothing is drawn while there is none.
func TestOwnValuesInTheLifeOfAFlow(t *testing.T) {
	r := plain("a")
	r.files["events/f.sender.jsonl"] = `{"rocelab_event_log":1,"flow":0,"name":"f","end":"sender","algorithm":"dcqcn",` +
		`"version":"1.0.0","params":{},"signals":{},"values":[{"name":"alpha"},{"name":"target","unit":"Gb/s"}],` +
		`"facts":{"line_rate_bps":100000000000}}
{"n":1,"t_ps":1000,"event":"start","values":{"alpha":0.5}}
{"n":2,"t_ps":1002,"event":"CNP","decision":{"rate_bps":50000000000},"values":{"alpha":0.25,"target":123456789.5}}
{"n":3,"t_ps":1004,"event":"timer","values":{"alpha":null}}
{"n":4,"t_ps":1005,"event":"timer","values":{"alpha":0.125}}
`
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	alpha := linesOf(t, root, "life-0-own-0", 0)
	want := []int64{500_000_000, 500_000_000, 250_000_000, 250_000_000, gap, 125_000_000}
	got := decodeValues(t, alpha[0].Data)
	if !slices.Equal(got, want) || alpha[0].Decimals != 9 || alpha[0].Column != "alpha" {
		t.Errorf("%v of %d decimals, want %v of 9", got, alpha[0].Decimals, want)
	}
	if len(alpha) != 2 || alpha[1].Name != "CNP" {
		t.Errorf("%d lines: the CNP is marked on it", len(alpha))
	}
	target := linesOf(t, root, "life-0-own-1", 0)
	if got := decodeValues(t, target[0].Data); got[0] != gap || got[2] != 12345678950000 || target[0].Decimals != 5 {
		t.Errorf("%v of %d decimals", got, target[0].Decimals)
	}
	for _, p := range dataOf(t, root).Plots {
		if p.ID == "life-0-own-1" && (p.Unit != "Gb/s" || p.Title != "f: reported by the algorithm: target") {
			t.Errorf("%s in %s", p.Title, p.Unit)
		}
	}
}

// Of 33 flows the percentiles are the second, the last but one and the 17th value.
func TestPercentilesAreNearestRanks(t *testing.T) {
	r := plain("a")
	text := "time_us,flow,goodput_gbps\n"
	for i := range 33 {
		text += fmt.Sprintf("0,f%d,%d.000\n10,f%d,0.000\n", i, (i*7)%33+1, i)
	}
	r.files["series_flows.csv"] = text
	lines := linesOf(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", r)))), "rate-plot-0", 0)
	for i, want := range []int64{2000, 32000, 17000} {
		t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
			if got := decodeValues(t, lines[i].Data)[0]; got != want {
				t.Errorf("%s: %d, want %d", lines[i].Name, got, want)
			}
		})
	}
}

// The figure of a tile is the median over the seeds, with their range.
func TestTheFigureIsTheMedian(t *testing.T) {
	var runs []fakeRun
	for seed, fct := range []float64{9, 1, 4, 2} {
		r := plain("a")
		r.seed, r.metrics["fct_p99_us"] = uint64(seed+1), fct
		runs = append(runs, r)
	}
	for count, want := range map[int]string{1: "9us", 2: "5us[1us..9us]", 3: "4us[1us..9us]", 4: "3us[1us..9us]"} {
		t.Run(fmt.Sprintf("count=%v", count), func(t *testing.T) {
			text := textOf(byID(t, parsed(t, written(t, opened(t, "run", folderOf(t, "one", runs[:count]...)))), "verdict"))
			if text = strings.Join(strings.Fields(text), ""); !strings.Contains(text, "Completion,p99"+want+"Longestqueue") {
				t.Errorf("%d seeds: %s, want %s", count, text, want)
			}
		})
	}
}

// Values that algorithms report about themselves are drawn with their own unit, and hold to the end of their flow; a
// number may have an exponent.
func TestOwnValuesHold(t *testing.T) {
	r := plain("a")
	r.files["flows.csv"] = "flow,to,start_us,completed_us\nf,h1,0.000000,75.000000\n"
	r.files["series_values.csv"] = "time_us,flow,name,unit,value\n0,f,alpha,,\n10,f,alpha,,1\n" +
		"40,f,alpha,,5e-05\n0,f,target,Gb/s,-12.5\n"
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	alpha := linesOf(t, root, "rate-plot-0", 1)
	want := []int64{gap, 100_000, gap, gap, 5, gap, gap, gap}
	if got := decodeValues(t, alpha[0].Data); len(alpha) != 1 || !slices.Equal(got, want) || alpha[0].Decimals != 5 {
		t.Errorf("%v of %d decimals, want %v of 5", got, alpha[0].Decimals, want)
	}
	target := linesOf(t, root, "rate-plot-0", 2)
	if got := decodeValues(t, target[0].Data); got[0] != -125 || target[0].Where != "flow=f&name=target" {
		t.Errorf("%v, %s", got, target[0].Where)
	}
	if unit := dataOf(t, root).Plots[1].Views[2].Unit; unit == nil || *unit != "Gb/s" {
		t.Error("the target has no unit of its own")
	}
}

// A run without a line in the picture of a queue is named there with the reason, and a run without series gives the
// reason in the words of its runner.
func TestWhatIsNotDrawnIsSaid(t *testing.T) {
	a, b, c, d := plain("a"), plain("b"), plain("c"), plain("d")
	head := "time_us,node,port,queue,depth_max_bytes\n"
	b.files["series_queues.csv"] = head
	c.files["series_queues.csv"], c.files["queues.csv"] = head, "node,port,peer,queue,treatment,depth_max_bytes\n"
	delete(d.files, "series_queues.csv")
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", a, b, c, d))))
	label := dataOf(t, root).Plots[0].Views[0].Label
	if label != "s0:1 to h1, queue 3; empty in c; not recorded of b, d" {
		t.Error(label)
	}
	if text := textOf(byID(t, root, "queue")); !strings.Contains(text, "Between Kmin and Kmax") ||
		strings.Contains(text, "Marks at the upper edge") {
		t.Errorf("what is in the picture is explained, and nothing else: %s", text)
	}

	a.files["queues.csv"] = strings.ReplaceAll(a.files["queues.csv"], ",1000,4000", ",,")
	plainPage := parsed(t, written(t, opened(t, "run", folderOf(t, "one", a))))
	if text := textOf(byID(t, plainPage, "queue")); strings.Contains(text, "Between Kmin and Kmax") {
		t.Errorf("Kmin and Kmax are explained, which the queue has not: %s", text)
	}

	delete(a.files, "series_queues.csv")
	delete(a.files, "series_flows.csv")
	files := folderOf(t, "one", a)
	folder := opened(t, "run", files)
	folder.manifest.Overrides = map[string]string{"record.off": "true", "switch.ecn.kmin": "20KB"}
	page := written(t, folder)
	for _, id := range []string{"queue", "rate"} {
		t.Run(id, func(t *testing.T) {
			text := textOf(byID(t, parsed(t, page), id))
			if !strings.Contains(text, "the run had --no-record") || strings.Contains(text, "Kmin and") ||
				strings.Contains(text, "Dashed") {
				t.Errorf("%s: %s", id, text)
			}
		})
	}
	if !strings.Contains(page, "<span>--no-record</span>") || strings.Contains(page, "record.off") ||
		!strings.Contains(page, "<span>--set switch.ecn.kmin=20KB</span>") {
		t.Error("the page does not say what was typed")
	}
	for override, want := range map[string]string{
		"record.interval=20us": "--record-interval 20us", "seed=3": "--seed 3", "record.off=false": "--set record.off=false",
	} {
		t.Run(override, func(t *testing.T) {
			if got := asTyped(override); got != want {
				t.Errorf("%s: %s", override, got)
			}
		})
	}
}

// The picture of queues also shows the bytes that a port may hold before it asks for a pause.
func TestXOFFIsBesideTheQueue(t *testing.T) {
	r := plain("a")
	r.files["pfc.csv"] = "node,port,peer,class,ingress_max_bytes,xoff_least_bytes,xoff_most_bytes,sent_xoff,paused_us\n" +
		"s0,0,h0,3,2000,1500,9000,4,0.000000\nh0,0,s0,3,0,,,0,5.000000\ns0,2,h2,0,777,,,0,0.000000\n"
	files := folderOf(t, "one", r)
	page := written(t, opened(t, "run", files))
	text := textOf(byID(t, parsed(t, page), "xoff"))
	for _, want := range []string{"1.500 KB", "9 KB", "s0", "h0"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in %s", want, text)
			}
		})
	}
	wrong, _ := wrongNumbers(t, page, files)
	if len(wrong) > 0 || strings.Count(text, "h0") != 1 || strings.Contains(text, "777") {
		t.Error(wrong, text)
	}
}
