package daemon

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
)

// answered returns a plan with everything that a result can contain, the order for a daemon that hosts all of it, and
// that daemon's answer after a run without events.
func answered(t testing.TB) (*plan.Plan, *Order, *Result) {
	t.Helper()
	s, err := scenario.Parse("answered.yaml", []byte(`
algorithm: dcqcn
topology: {kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 10km, name: fibre}}
switch: {proximal: {enabled: true}}
record: {interval: 100us}
run: {limit: 3ms}
traffic: [{kind: incast, size: 1MB}]
`), model.Checker(shipped.Find))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	p := plans[0]
	blueprints, err := model.Blueprints(p)
	if err != nil {
		t.Fatal(err)
	}
	o := &Order{
		Protocol: Protocol,
		Setup: lockstep.Setup{
			Participants: 1,
			Links:        2 * len(p.Links),
			Lookahead:    p.Lookahead(),
			Schedule:     engine.Schedule{Until: p.Until, Limit: p.Limit, EndGrid: p.EndGrid},
			SamplePeriod: model.DeadlockPeriod(p),
			Sampled:      []bool{true},
		},
		Nodes:      blueprints.Nodes,
		Algorithms: blueprints.Algorithms,
	}
	r := &Result{Hops: 1}
	built, err := model.Blueprints(p) // to build takes the ends of flows out, and the order keeps its own
	if err != nil {
		t.Fatal(err)
	}
	builder := model.NewBuilder(o.Algorithms, shipped.Find)
	sample := blockedSample{At: unit.Time(unit.Millisecond)}
	for i := range built.Nodes {
		n, err := builder.Build(&built.Nodes[i])
		if err != nil {
			t.Fatal(err)
		}
		r.Reports = append(r.Reports, n.Report(p.Limit, 0))
		for k := range n.Ports() {
			o.Ports = append(o.Ports, Port{Node: i, Number: k})
			r.Ports = append(r.Ports, portCount{})
		}
		if _, ok := n.Model.(model.BlockedReporter); ok {
			queue := switchd.Blocked{Port: 1, Class: 3, From: []switchd.Source{{Port: 0, Class: 3}}}
			sample.Nodes = append(sample.Nodes, blockedNode{n.ID, []switchd.Blocked{queue}})
		}
	}
	r.Samples = []blockedSample{sample}
	for i := range r.Reports {
		switch one := r.Reports[i].Record.(type) {
		case *model.SwitchRecord:
			one.Proximal.Actions = append(one.Proximal.Actions, record.ProximalAction{SrcIP: plan.FirstIP})
			one.Ports[0].Storms = append(one.Ports[0].Storms, record.BrokenStorm{})
			one.Ports[0].Queues.Of(0).Frames = 1
			one.Ports[0].Queues.Of(0).Depth = &record.Series{Kind: record.Max, Bins: []uint32{1, 2}}
		case *model.NICRecord:
			if s := one.Ends[0].Sender; s != nil {
				s.Over.Acked.Bins = append(s.Over.Acked.Bins, 1)
			}
		}
	}
	if err := o.check(1 + len(o.Ports)); err != nil {
		t.Fatal(err)
	}
	return p, o, r
}

// use makes of a result what a run makes of it, files too if a folder is given.
func use(t testing.TB, p *plan.Plan, r *Result, dir string) {
	t.Helper()
	reports := make([]model.Report, p.Nodes())
	for _, report := range r.Reports {
		reports[report.ID] = report
	}
	out, err := model.Assemble(p, p.Limit, slices.Values(reports))
	if err != nil {
		return // the fault of an algorithm
	}
	finder := model.NewDeadlocks(p)
	for _, s := range r.Samples {
		blocked := make([][]switchd.Blocked, len(p.Switches))
		for _, n := range s.Nodes {
			blocked[p.Node(n.Node).Index] = n.Queues
		}
		finder.Sample(s.At, blocked)
	}
	out.Deadlocks = finder.Found
	summary := result.Summarise(out)
	verdict := result.Judge(out, summary)
	if dir == "" {
		return
	}
	f, err := result.Create(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	if err := f.WriteRun("", out, summary, verdict); err != nil {
		t.Error(err)
	}
}

func TestSoundResultsPass(t *testing.T) {
	p, o, r := answered(t)
	if err := r.Check(p, o); err != nil {
		t.Fatal(err)
	}
	use(t, p, r, t.TempDir())
	b, err := encodeResult(r)
	if err != nil {
		t.Fatal(err)
	}
	if most := o.MaxResult(p, 1000); len(b) > most/10 {
		t.Errorf("%d B of an answer where %d are allowed", len(b), most)
	}
	for _, r := range []*Result{{Err: "broken"}, {Err: "broken", Plugin: true}, {Aborted: true, Err: "aborted"}} {
		t.Run(fmt.Sprintf("Plugin=%v,Aborted=%v", r.Plugin, r.Aborted), func(t *testing.T) {
			if err := r.Check(p, o); err != nil {
				t.Errorf("%+v: %v", r, err)
			}
		})
	}
}

// A result that cannot be the answer to an order is refused, and the error describes it.
func TestForgedResultsAreRefused(t *testing.T) {
	type forged = func(*Result)
	recordOf := func(r *Result, kind any) any {
		for i := range r.Reports {
			if got := r.Reports[i].Record; reflect.TypeOf(got) == reflect.TypeOf(kind) {
				return got
			}
		}
		panic("no such record")
	}
	nic := func(r *Result) *model.NICRecord { return recordOf(r, new(model.NICRecord)).(*model.NICRecord) }
	sw := func(r *Result) *model.SwitchRecord { return recordOf(r, new(model.SwitchRecord)).(*model.SwitchRecord) }
	wan := func(r *Result) *model.WANRecord { return recordOf(r, new(model.WANRecord)).(*model.WANRecord) }
	queue := func(r *Result) *switchd.Blocked { return &r.Samples[0].Nodes[0].Queues[0] }
	for _, c := range []struct {
		name  string
		forge forged
		want  string
	}{
		{"nothing", func(r *Result) { *r = Result{} }, "it reports of 0 nodes and 0 ports"},
		{"a node too few", func(r *Result) { r.Reports = r.Reports[1:] }, "nodes and"},
		{"a node too many", func(r *Result) { r.Reports = append(r.Reports, r.Reports[0]) }, "nodes and"},
		{"a port too few", func(r *Result) { r.Ports = r.Ports[1:] }, "ports, and hosts"},
		{"a negative time on a core", func(r *Result) { r.Used.Ran = -1 }, "its windows had a core for -1ns"},
		{"an edge of nobody", func(r *Result) { r.Edges = make([]EdgeCount, 1) }, "it reports of 1 edges, and hosts 0"},
		{"another node", func(r *Result) { r.Reports[1].ID = 0 }, "a report of node 0 in the place of node 1"},
		{"a negative node", func(r *Result) { r.Reports[0].ID = -1 }, "a report of node -1"},
		{"no record", func(r *Result) { r.Reports[0].Record = nil }, "a record of <nil>"},
		{"a record of nobody", func(r *Result) { r.Reports[0].Record = (*model.SwitchRecord)(nil) }, "a record of"},
		{"another kind's record", func(r *Result) { r.Reports[0].Record = new(model.WANRecord) },
			"a record of *model.WANRecord"},
		{"a switch's fault", func(r *Result) { r.Reports[0].Fault = "no" }, "which runs none"},
		{"frames on a link beyond the plan", func(r *Result) { r.Reports[0].InFlight[99] = result.Flight{} }, "direction 99"},
		{"ports of a switch", func(r *Result) { sw(r).Ports = nil }, "differ from the switch's"},
		{"ports of a path", func(r *Result) { wan(r).Ports = wan(r).Ports[1:] }, "differ from a long-haul path's"},
		{"a queue without its record", func(r *Result) { sw(r).Ports[0].Queues.Used |= 1 << 7 }, "are in use"},
		{"records of no class", func(r *Result) { nic(r).Port.Classes.Used |= 1 << 7 }, "are in use"},
		{"drops for no reason", func(r *Result) {
			sw(r).Ports[0].Drops = map[fabric.DropReason]uint64{fabric.NumDropReasons: 1}
		}, "drops for reason 23: there are 23"},
		{"no proximal CNP", func(r *Result) { sw(r).Proximal = nil }, "differ from the switch's"},
		{"ends of flows", func(r *Result) { nic(r).Ends = nil }, "differ from the NIC's"},
		{"ranks", func(r *Result) { nic(r).Phases = make([][]unit.Time, 1) }, "differ from the NIC's"},
		{"another flow", func(r *Result) { nic(r).Ends[0].Flow = 4711 }, "of flow"},
		{"an end without either", func(r *Result) { nic(r).Ends[0] = model.EndRecord{Flow: nic(r).Ends[0].Flow} }, "of flow"},
		{"a sample of nobody", func(r *Result) { r.Samples[0].Nodes = nil }, "is not in its place"},
		{"a sample of a NIC", func(r *Result) { r.Samples[0].Nodes[0].Node = 3 }, "is not in its place"},
		{"a sample twice", func(r *Result) { r.Samples = append(r.Samples, r.Samples[0]) }, "sample 1"},
		{"a sample after the end", func(r *Result) { r.Samples[0].At = unit.Never }, "sample 0"},
		{"a queue of no port", func(r *Result) { queue(r).Port = 99 }, "queue 0 is 99/3"},
		{"a queue of a negative port", func(r *Result) { queue(r).Port = -1 }, "queue 0 is -1/3"},
		{"a queue of no class", func(r *Result) { queue(r).Class = 8 }, "queue 0 is 1/8"},
		{"an ingress of no port", func(r *Result) { queue(r).From[0].Port = 99 }, "waits for 99/3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, o, r := answered(t)
			c.forge(r)
			if err := r.Check(p, o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		})
	}
	p, o, _ := answered(t)
	o.Nodes, o.Ports = o.Nodes[:1], nil // a switch alone
	if err := (&Result{Err: "x", Plugin: true}).Check(p, o); err == nil {
		t.Error("a daemon without an algorithm may blame one")
	}
}

// listed are fields that files number rows and names by.
var listed = regexp.MustCompile(`Actions|Storms|Depth|Sender\.Started|Rate\.`)

// Each field of a result, set to a value that daemons never write, is refused or does no harm to anything made from the
// result.
func TestNoFieldOfAResultHarms(t *testing.T) {
	tier.Slow(t)
	p, o, r := answered(t)
	b, err := encodeResult(r)
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, extreme := range []int64{-1, math.MinInt64, math.MaxInt64, 255, 1 << 20} {
		var paths []string
		eachField(reflect.ValueOf(r), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
		for _, path := range paths {
			forged, err := DecodeResult(b)
			if err != nil {
				t.Fatal(err)
			}
			eachField(reflect.ValueOf(forged), "", func(at string, v reflect.Value) {
				if at == path {
					forge(v, extreme)
				}
			})
			dir := ""
			if listed.MatchString(path) {
				dir = t.TempDir()
			}
			fields++
			if forged.Check(p, o) == nil {
				harmless(t, fmt.Sprintf("%s = %d", path, extreme), func() { use(t, p, forged, dir) })
			}
		}
	}
	if fields < 500 {
		t.Errorf("%d fields were tried: this test does not reach them", fields)
	}
}

// harmless reports a panic.
func harmless(t *testing.T, what string, do func()) {
	t.Helper()
	defer func() {
		if problem := recover(); problem != nil {
			t.Errorf("%s: panic: %v", what, problem)
		}
	}()
	do()
}

// eachField visits what a value holds, of an array its first element. A list counts as a
// field, too.
func eachField(v reflect.Value, path string, visit func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		eachField(v.Elem(), path, visit)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				eachField(v.Field(i), path+"."+f.Name, visit)
			}
		}
	case reflect.Array:
		eachField(v.Index(0), path+"[0]", visit)
	case reflect.Slice:
		visit(path, v)
		for i := range v.Len() {
			eachField(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	default:
		visit(path, v)
	}
}

// forge sets a number, and makes a list one longer.
func forge(v reflect.Value, to int64) {
	switch {
	case !v.CanSet():
	case v.CanInt():
		v.SetInt(to)
	case v.CanUint():
		v.SetUint(uint64(to))
	case v.Kind() == reflect.Slice:
		element := reflect.New(v.Type().Elem()).Elem()
		eachField(element, "", func(_ string, in reflect.Value) {
			if in.Kind() != reflect.Slice {
				forge(in, to)
			}
		})
		v.Set(reflect.Append(v, element))
	}
}

// Any answer of a daemon is refused or can be used.
func FuzzResult(f *testing.F) {
	p, o, r := answered(f)
	for _, seed := range []*Result{r, {Err: "broken"}, {Aborted: true}} {
		b, err := encodeResult(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<15 {
			return // a list may take far more memory than its bytes
		}
		r, err := DecodeResult(b)
		if err == nil && r.Check(p, o) == nil && r.Err == "" && !r.Aborted {
			use(t, p, r, "")
		}
	})
}

// Any order is refused or has everything that it refers to.
func FuzzOrder(f *testing.F) {
	for _, seed := range []string{"", "{", `{"Protocol": 2}`,
		`{"Protocol": 2, "Nodes": [{"Kind": "nic", "Design": null}]}`} {
		f.Add([]byte(seed), 1)
	}
	text, err := os.ReadFile(filepath.Join("testdata", "order.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, 2)
	f.Fuzz(func(t *testing.T, message []byte, files int) {
		o, err := decodeOrder(message, files)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("refused without a word")
			}
			return
		}
		o.usedAlgorithms()
		for i := range o.Ports {
			o.attachment(&o.Ports[i])
		}
		fmt.Fprint(io.Discard, o.MaxResult(new(plan.Plan), len(message)))
	})
}

// What no edge can have seen on the wall is refused.
func TestForgedCountsOfAnEdgeAreRefused(t *testing.T) {
	sound := EdgeCount{}
	sound.Timing.Lateness.Add(5)
	sound.Timing.Taken.Add(2000)
	sound.Timing.Sent, sound.Timing.Moved, sound.Timing.MovedMost = 1, 1, 2
	if err := sound.check(); err != nil {
		t.Error(err)
	}
	for want, forge := range map[string]func(t *result.EdgeTiming){
		"late by -1 ns":                  func(t *result.EdgeTiming) { t.Lateness.Largest = -1 },
		"its latest of 0 frames":         func(t *result.EdgeTiming) { t.Taken = record.Lateness{Largest: 1} },
		"of 1 frames 2 were moved":       func(t *result.EdgeTiming) { t.Moved = 2 },
		"were moved, by -1 ps":           func(t *result.EdgeTiming) { t.MovedMost = -1 },
		"of 1 frames 0 were moved, by 2": func(t *result.EdgeTiming) { t.Moved = 0 },
		"2 frames were sent, and 1 were": func(t *result.EdgeTiming) { t.Sent = 2 },
	} {
		t.Run(want, func(t *testing.T) {
			c := sound
			forge(&c.Timing)
			if err := c.check(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q: %v", want, err)
			}
		})
	}
}
