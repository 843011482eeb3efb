package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// timed is star as a live run: an edge with R = 400 us, at which the shares of 1000 frames left that late, the rest at
// once.
func timed(shares map[int64]int) *Outcome {
	o := star()
	o.Time = &Timing{Dilation: 1, Reference: 400 * time.Microsecond}
	o.Time.Edges = []EdgeTiming{{Name: "a", Interface: "vethA"}}
	rest := 1000
	edge := &o.Time.Edges[0]
	for ns, frames := range shares {
		for range frames {
			edge.Lateness.Add(ns)
		}
		rest -= frames
	}
	for range rest {
		edge.Lateness.Add(0)
	}
	edge.Sent = 1000
	return o
}

// The verdict on time follows from the lateness that was recorded: on a bound it is
// still kept, a nanosecond above no more.
func TestVerdictOnTime(t *testing.T) {
	const us = int64(time.Microsecond)
	for name, c := range map[string]struct {
		late    map[int64]int
		want    Status
		finding string
	}{
		"nothing late":              {nil, Pass, ""},
		"p50 on R/4":                {map[int64]int{100 * us: 600}, Pass, ""},
		"p50 above R/4":             {map[int64]int{100*us + 1: 600}, Amber, "p50 is 100us, above R/4 = 100us"},
		"half of the frames":        {map[int64]int{150 * us: 500}, Pass, ""},
		"p99 on R/2":                {map[int64]int{200 * us: 20}, Pass, ""},
		"p99 above R/2":             {map[int64]int{200*us + 1: 20}, Amber, "p99 is 200us, above R/2 = 200us"},
		"a hundredth is not p99":    {map[int64]int{700 * us: 10}, Pass, ""},
		"p99 on R":                  {map[int64]int{400 * us: 20}, Amber, "p99 is 400us, above R/2 = 200us"},
		"p99 above R":               {map[int64]int{400*us + 1: 20}, Red, "p99 is 400us, above R = 400us"},
		"p50 above R":               {map[int64]int{500 * us: 600}, Red, "p50 is 500us, above R = 400us"},
		"p99.9 on 2 R":              {map[int64]int{800 * us: 2}, Pass, ""},
		"p99.9 above 2 R":           {map[int64]int{800*us + 1: 2}, Amber, "p99.9 is 800us, above 2 R = 800us"},
		"a thousandth is not p99.9": {map[int64]int{int64(time.Minute): 1}, Pass, ""},
		"p99.9 on 10 R":             {map[int64]int{4000 * us: 2}, Amber, "p99.9 is 4ms, above 2 R = 800us"},
		"p99.9 above 10 R":          {map[int64]int{4000*us + 1: 2}, Red, "p99.9 is 4ms, above 10 R = 4ms"},
	} {
		t.Run(name, func(t *testing.T) {
			o := timed(c.late)
			v := judge(o)
			if v.Status != c.want || o.Time.Status() != c.want {
				t.Errorf("%s: %v, on time alone %v, want %v", name, v.Status, o.Time.Status(), c.want)
			}
			if c.finding != "" {
				expectFinding(t, v, c.want, Timeliness, "edge a (vethA): frames left late: "+c.finding)
			}
			if code := ExitCode(v); (code == exit.CodeVerdict) != (c.want == Red) || c.want != Red && code != exit.CodePass {
				t.Errorf("%s: exit code %d", name, code)
			}
		})
	}
}

// What came in and was taken late is judged by the same bounds as what left late, and where nothing
// leaves too.
func TestVerdictOnTimeOfWhatCameIn(t *testing.T) {
	const us = int64(time.Microsecond)
	for _, c := range []struct {
		late int64
		want Status
	}{{200 * us, Pass}, {200*us + 1, Amber}, {400 * us, Amber}, {400*us + 1, Red}} {
		t.Run(fmt.Sprintf("late=%v", c.late), func(t *testing.T) {
			for _, sent := range []bool{true, false} {
				o := timed(nil)
				e := &o.Time.Edges[0]
				if !sent {
					e.Lateness = record.Lateness{}
				}
				for range 98 {
					e.Taken.Add(0)
				}
				e.Taken.Add(c.late)
				e.Taken.Add(c.late)
				v := judge(o)
				if v.Status != c.want || !o.Time.Judged() {
					t.Errorf("taken %d ns late: %v, want %v", c.late, v.Status, c.want)
				}
				if c.want != Pass {
					expectFinding(t, v, c.want, Timeliness, "edge a (vethA): frames were taken late: p99 is "+WallTime(c.late)+
						", above R")
				}
			}
		})
	}
}

// Bounds are right where R is long: a dilation of a million makes hours of milliseconds.
func TestVerdictOnTimeWhereTimesAreLong(t *testing.T) {
	const day = int64(24 * time.Hour)
	for _, c := range []struct {
		reference, late int64
		want            Status
	}{
		{50_000 * day, 10_000 * day, Pass},
		{50_000 * day, 20_000 * day, Amber},
		{50_000 * day, 60_000 * day, Red},
		{100_000 * day, 1, Pass},
		{1, 100_000 * day, Red},
	} {
		t.Run(fmt.Sprintf("reference=%v,late=%v", c.reference, c.late), func(t *testing.T) {
			o := timed(map[int64]int{c.late: 1000})
			o.Time.Reference = time.Duration(c.reference)
			if v := judge(o); v.Status != c.want {
				t.Errorf("R of %d days, all %d days late: %v, want %v", c.reference/day, c.late/day, v.Status, c.want)
			}
		})
	}
	if got := WallTime(1_000 * day); got != "86400000s" {
		t.Errorf("1000 days are %s", got)
	}
}

// Each edge is judged by itself: a quiet one that is late is not drowned by a busy one.
func TestVerdictOnTimeOfEachEdge(t *testing.T) {
	o := timed(nil)
	o.Time.Edges = append(o.Time.Edges, EdgeTiming{Name: "b", Interface: "vethB"})
	o.Time.Edges[1].Lateness.Add(int64(time.Second))
	v := judge(o)
	expectFinding(t, v, Red, Timeliness, "edge b (vethB): frames left late: p50 is 1s, above R = 400us")
}

// Losses outside the models prevent green, and a standstill counts as late as it was long.
func TestVerdictOnTimeOfLossAndStandstill(t *testing.T) {
	for reason := range OutsideReasons {
		o := timed(nil)
		o.Time.Edges[0].Lost[reason] = 3
		v := judge(o)
		if v.Status != Amber || o.Time.Colour() != "amber" {
			t.Errorf("%v: %v, %s", reason, v.Status, o.Time.Colour())
		}
		expectFinding(t, v, Amber, Timeliness, "edge a (vethA): 3 frames were lost outside the models: 3 "+reason.String())
	}
	for _, c := range []struct {
		reference, took time.Duration
		want            Status
	}{
		{20 * time.Millisecond, 200 * time.Millisecond, Amber},
		{20 * time.Millisecond, 200*time.Millisecond + 1, Red},
		{400 * time.Microsecond, time.Second, Red},
	} {
		t.Run(fmt.Sprintf("reference=%v,took=%v", c.reference, c.took), func(t *testing.T) {
			o := timed(nil)
			o.Time.Reference = c.reference
			o.Time.Standstills = []Standstill{{At: 5 * us, Took: c.took, Who: "s0"}}
			v := judge(o)
			if v.Status != c.want {
				t.Errorf("a standstill of %v where R is %v: %v, want %v", c.took, c.reference, v.Status, c.want)
			}
			expectFinding(t, v, c.want, Timeliness, " at model time 5us (s0 came last), ")
		})
	}
}

// A frame that could not be finished crossed as it was: that is reported, and nothing is lost.
func TestUnfitFramesAreNotLost(t *testing.T) {
	o := timed(nil)
	o.Time.Edges[0].Unfit = 3
	v := judge(o)
	if v.Status != Pass || o.Time.Colour() != "green" || o.Time.Edges[0].LostOutside() != 0 {
		t.Errorf("%v, %s", v.Status, o.Time.Colour())
	}
	expectFinding(t, v, Pass, Timeliness, "edge a (vethA): 3 frames came in unfinished from the host")
}

// Without edges nothing is judged, for any lateness and standstill: the lag is reported.
func TestTimeWithoutEdgesIsNotJudged(t *testing.T) {
	o := timed(nil)
	o.Time.Edges = nil
	o.Time.Lag.Add(int64(3 * time.Second))
	o.Time.Standstills = []Standstill{{At: 5 * us, Took: time.Second}}
	v := judge(o)
	if v.Status != Pass || o.Time.Colour() != "not judged" {
		t.Errorf("%v, %s", v.Status, o.Time.Colour())
	}
	expectFinding(t, v, Pass, Timeliness, "K = 1, not judged: there are no edges")
	expectFinding(t, v, Pass, Timeliness, "p50 3s, p99 3s, p99.9 3s, max 3s over 1 window; this is not judged")
	expectFinding(t, v, Pass, Timeliness, "the run stood still for 1s at model time 5us")
}

// Edges at which nothing left are not called green.
func TestTimeOfSilentEdgesIsNotJudged(t *testing.T) {
	o := timed(nil)
	o.Time.Edges = []EdgeTiming{{Name: "a"}}
	if v := judge(o); v.Status != Pass || o.Time.Colour() != "not judged" {
		t.Errorf("%v, %s", v.Status, o.Time.Colour())
	}
	o.Time.Standstills = []Standstill{{Took: time.Second}}
	if v := judge(o); v.Status != Red || o.Time.Colour() != "red" {
		t.Errorf("with a standstill: %v, %s", v.Status, o.Time.Colour())
	}
}

// For a run that did not keep the clock expectations do not count, met or not; an amber one is judged as any other,
// with a note beside it.
func TestExpectationsAndTime(t *testing.T) {
	met := plan.Check{Metric: "flows", Op: ">=", Value: 1}
	missed := plan.Check{Metric: "flows", Op: "<", Value: 1}
	late := func(ns int64, check plan.Check) Verdict {
		o := timed(map[int64]int{ns: 20})
		o.Plan.Expect.Checks = []plan.Check{check}
		return judge(o)
	}
	const amber, red = int64(300 * time.Microsecond), int64(time.Second)
	for _, c := range []struct {
		ns     int64
		check  plan.Check
		status Status
		code   int
	}{
		{0, met, Pass, exit.CodePass},
		{0, missed, Failed, exit.CodeFailed},
		{amber, met, Amber, exit.CodePass},
		{amber, missed, Failed, exit.CodeFailed},
		{red, met, Red, exit.CodeVerdict},
		{red, missed, Red, exit.CodeVerdict},
	} {
		v := late(c.ns, c.check)
		if v.Status != c.status || ExitCode(v) != c.code {
			t.Errorf("%d ns late, flows %s 1: %v, code %d, want %v, %d", c.ns, c.check.Op, v.Status, ExitCode(v), c.status,
				c.code)
		}
		if c.ns == red {
			expectFinding(t, v, Pass, Expectation, "1 expectation was not checked: the clock was not kept")
		}
		missing := slices.ContainsFunc(v.Findings, func(f Finding) bool {
			return f.Subject == Expectation && f.Status == Failed
		})
		if missing != (c.check == missed && c.ns != red) {
			t.Errorf("%d ns late, flows %s 1: the expectation is told as missed: %v", c.ns, c.check.Op, missing)
		}
	}
}

// A live run and its replay write the same summary, and the same verdict into the
// manifest; host.json has the time and the whole verdict.
func TestTimeIsTheHostsPart(t *testing.T) {
	live := timed(map[int64]int{int64(time.Second): 20})
	live.Plan.Expect.Checks = []plan.Check{{Metric: "flows", Op: "<", Value: 1}}
	replay := star()
	replay.Plan.Expect = live.Plan.Expect
	written := func(o *Outcome) string {
		var b bytes.Buffer
		s := Summarise(o)
		if err := writeSummary(&b, s, Judge(o, s)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if written(live) != written(replay) || !strings.Contains(written(live), `"verdict": "failed"`) {
		t.Errorf("summary.json of a live run differs from its replay's:\n%s\n%s", written(live), written(replay))
	}
	m := NewManifest("s", "d", 1)
	s := Summarise(live)
	m.Add("a", live, s, Judge(live, s), nil)
	m.Add("b", replay, Summarise(replay), judge(replay), nil)
	if m.Runs[0].Verdict != "failed" || m.Runs[1].Verdict != "failed" {
		t.Errorf("the manifest: %+v", m.Runs)
	}
	if on := m.Host.Runs; on[0].Verdict != "red" || on[0].Timing.Verdict != "red" || on[1].Verdict != "failed" ||
		on[1].Timing != nil {
		t.Errorf("the host: %+v", on)
	}
	text, err := json.Marshal(Document(s, Judge(live, s), live.Time))
	if err != nil || !bytes.Contains(text, []byte(`"verdict":"red"`)) ||
		!bytes.Contains(text, []byte(`"p99_us":1000000`)) {
		t.Errorf("the report's document, %v: %s", err, text)
	}
}

// Circumstances that explain a run are noted if there are any.
func TestNotesOnTime(t *testing.T) {
	o := timed(nil)
	plain := len(o.Time.notes())
	o.Time.Dilation = 10
	o.Time.ClockSteps = 1
	o.Time.Edges[0].Lost[TooLong] = 1
	o.Time.Host = Interference{Steal: 300 * time.Millisecond}
	o.Time.Edges[0].Moved, o.Time.Edges[0].MovedMost = 2, 20*unit.Microsecond
	v := judge(o)
	for _, words := range []string{
		"amber at K = 10: R = 400us on the wall",
		"edge a (vethA): an interface sends packets of its MTU with one 802.1Q tag: with two tags, or an 802.1ad " +
			"tag, they need an interface whose MTU is 4 B larger",
		"the host's clock was set 1 time; ",
		"300ms stolen by its hypervisor, 0s throttled",
		"edge a (vethA): 2 frames were read too late and entered later than stamped, by at most 20us of model time",
		"a timeout of 200ms counts as 20ms here",
	} {
		t.Run(fmt.Sprintf("%.50q", words), func(t *testing.T) {
			expectFinding(t, v, Pass, Timeliness, words)
		})
	}
	if plain != 1 {
		t.Errorf("a run without anything to tell has %d notes", plain)
	}
}

// Who had real-time priority to the end is counted, who lost it or got none is named, those with one reason
// together; the document has them all.
func TestPriorityIsTold(t *testing.T) {
	o := timed(nil)
	if text, _ := json.Marshal(o.Time.Document()); bytes.Contains(text, []byte("priorities")) {
		t.Errorf("nobody asked: %s", text)
	}
	o.Time.Priorities = []Priority{
		{Participant: "a", Given: true},
		{Participant: "b", Lost: "no right"},
		{Participant: "c", Given: true, Lost: "taken away after 1 s"},
		{Participant: "d", Lost: "no right"},
		{Participant: "e", Given: true},
	}
	expectFinding(t, judge(o), Pass, Timeliness, "real-time priority: 2 of 5 participants had it to the end")
	want := []string{
		"b and 1 more got no real-time priority: no right; without it a run goes on at normal priority",
		"c lost its real-time priority: taken away after 1 s; without it a run goes on at normal priority",
	}
	if got := o.Time.Remarks(); !slices.Equal(got, want) {
		t.Errorf("remarks %q", got)
	}
	text, err := json.Marshal(o.Time.Document())
	for _, words := range []string{
		`{"participant":"a","class":"fifo"}`,
		`{"participant":"b","class":"normal","lost":"no right"}`,
		`{"participant":"c","class":"fifo","lost":"taken away after 1 s"}`,
	} {
		t.Run(words, func(t *testing.T) {
			if err != nil || !bytes.Contains(text, []byte(words)) {
				t.Errorf("no %s in %s, %v", words, text, err)
			}
		})
	}
	for i := range 9 {
		o.Time.Priorities = append(o.Time.Priorities, Priority{Participant: "x", Lost: strconv.Itoa(i)})
	}
	if got := o.Time.Remarks(); len(got) != 5 || !strings.HasSuffix(got[4], "for 7 reasons more; the manifest "+
		"lists them") {
		t.Errorf("remarks %q", got)
	}
}

// A timing for a plan names its edges, and R is on the wall.
func TestNewTiming(t *testing.T) {
	p := star().Plan
	if timing := NewTiming(p, 5); timing.Dilation != 5 || timing.Reference != 0 || timing.Edges != nil {
		t.Errorf("without edges: %+v", timing)
	}
	link := p.NICs[2].Link
	p.NICs = p.NICs[:2]
	p.Devices = []plan.Device{{
		Kind:   plan.KindEdge,
		Name:   "a",
		Links:  []int{link},
		Config: plan.Edge{Interface: "vethA", MTU: 1500},
	}}
	p.Switches[0].Routes = []uint16{0, 1, 2}
	p.Switches[0].NextHops = [][]uint16{{0}, {1}, {2}}
	timing := NewTiming(p, 5)
	if len(timing.Edges) != 1 || timing.Edges[0].Name != "a" || timing.Edges[0].Interface != "vethA" {
		t.Errorf("edges: %+v", timing.Edges)
	}
	// There and back over two links of 1 us and 100 Gb/s: 1538 B and 84 B at 80 ps, twice.
	if want := 5 * 4259 * time.Nanosecond; timing.Reference != want {
		t.Errorf("R = %v, want %v", timing.Reference, want)
	}
}

// An interface that went down by itself makes a run void, in place of interrupted, as its replay is; a red verdict
// outweighs that. Control: findings without the ones on interfaces.
func TestAnInterfaceThatWentDown(t *testing.T) {
	o := timed(nil)
	o.Interrupted = true
	o.Plan.Expect.Checks = []plan.Check{{Metric: "goodput_gbps", Op: ">", Value: 1}}
	interrupted := Judge(o, Summarise(o))
	if interrupted.Status != Interrupted || !interrupted.WasInterrupted() {
		t.Errorf("without such an interface it is %v", interrupted.Status)
	}
	at := unit.Time(5 * unit.Millisecond)
	o.Time.Unplugged = []Unplugged{{Edge: "a", Interface: "vethA", What: "lost its carrier", At: at}}
	verdict := Judge(o, Summarise(o))
	const want = "edge a (vethA): its interface lost its carrier at 5ms, and no fault of the scenario takes it down " +
		"then: the run ended by that"
	if verdict.Status != Void || verdict.Findings[0] != (Finding{Void, Timeliness, want}) {
		t.Errorf("%v, %q", verdict.Status, verdict.Findings[0].Text)
	}
	if slices.ContainsFunc(verdict.Findings, func(f Finding) bool { return f.Status == Interrupted }) {
		t.Errorf("it is interrupted too: %q", verdict.Findings)
	}
	inside := verdict.Inside()
	if inside.Status != Interrupted || !verdict.WasInterrupted() {
		t.Errorf("inside it is %v", inside.Status)
	}
	text, err := json.Marshal(o.Time.Document())
	if err != nil {
		t.Fatal(err)
	}
	const document = `"unplugged":[{"at_model_us":5000,"edge":"a","interface":"vethA","what":"lost its carrier"}]`
	if !strings.Contains(string(text), document) {
		t.Errorf("not %s: %s", document, text)
	}
	o.Time.Edges[0].Lateness.Add(int64(time.Minute))
	for range 100 {
		o.Time.Edges[0].Lateness.Add(int64(time.Minute))
	}
	if red := Judge(o, Summarise(o)); red.Status != Red {
		t.Errorf("late, it is %v", red.Status)
	}
}
