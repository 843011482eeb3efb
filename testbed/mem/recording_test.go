package mem_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// A storm, lossy traffic and a lossy link on one leaf-spine fabric: all that series count happens.
const eventful = `
name: eventful
topology: {kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 4}
algorithm: dcqcn
switch: {ecn: {kmin: 20KB, kmax: 100KB, pmax: 0.2}}
traffic:
  - {kind: incast, senders: 6, receiver: h0, size: 150KB}
  - {kind: permutation, size: 100KB, start: 20us}
faults:
  - {kind: link, link: h1-leaf0, loss: 0.005}
  - {kind: pfc-storm, host: h3, from: 100us, to: 300us}
`

// A fat tree of 768 ports.
const large = `
name: large
topology: {kind: fat-tree, hosts: 128}
algorithm: dcqcn
switch: {ecn: {kmin: 5KB, kmax: 40KB, pmax: 0.5}}
traffic:
  - {name: one, kind: permutation, size: 60KB}
  - {name: two, kind: incast, senders: 20, receiver: h0, size: 30KB}
  - {name: three, kind: permutation, flows: 2, size: 10KB, start: 3us}
`

func plansOf(t *testing.T, text string) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(text), model.Checker(shipped.Find))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

func done(t *testing.T, p *plan.Plan, workers int) *result.Outcome {
	t.Helper()
	o, err := mem.Run(context.Background(), p, mem.Options{Algorithms: shipped.Find, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// total is the sum of a series, with what it has beyond its bins.
func total(s *record.Series) (sum uint64) {
	for bin := range s.Len() {
		sum += uint64(s.At(bin))
	}
	return sum + s.Rest
}

// tallied has a port's counters for the contents of its series.
type tallied struct {
	sent, marked, dropped uint64
	paused                unit.Duration
}

func (c *tallied) add(p *record.Port) {
	c.sent += p.TxBytes
	for q := range profile.Classes {
		c.marked += p.Queues.At(q).Marked
		c.paused += p.Classes.At(q).Paused
	}
	for reason, n := range p.Drops {
		if r := fabric.DropReason(reason); r != fabric.DropLinkLoss && r != fabric.DropLinkDown {
			c.dropped += n
		}
	}
}

func (c *tallied) check(t *testing.T, where string, a *record.Activity) {
	t.Helper()
	got := tallied{total(&a.Sent), total(&a.Marked), total(&a.Dropped), unit.Duration(total(&a.Paused))}
	if got != *c {
		t.Errorf("%s: the series have %+v, the counters %+v", where, got, *c)
	}
}

func ports(o *result.Outcome, yield func(name string, p *record.Port)) {
	for i := range o.Switches {
		for j := range o.Switches[i].Ports {
			yield(fmt.Sprint(o.Plan.Switches[i].Name, ":", j), &o.Switches[i].Ports[j])
		}
	}
	for i := range o.NICs {
		yield(o.Plan.NICs[i].Name, &o.NICs[i])
	}
}

// Over all bins the series of a port and of a flow equal its counters, and a bin never has more than fits into it.
func TestSeriesAddUpToCounters(t *testing.T) {
	o := done(t, plansOf(t, eventful), 1)
	var all tallied
	ports(o, func(name string, p *record.Port) {
		var want tallied
		want.add(p)
		all.add(p)
		want.check(t, name, p.Over)
		longest := int64(0)
		for q := range profile.Classes {
			for bin := range p.Queues.At(q).Depth.Len() {
				longest = max(longest, p.Queues.At(q).Depth.At(bin))
			}
			if d := p.Queues.At(q).Depth; d != nil && longest != int64(p.Queues.At(q).MaxBytes) {
				t.Errorf("%s, queue %d: the series reaches %d, the queue %d", name, q, longest, p.Queues.At(q).MaxBytes)
			}
			longest = 0
		}
	})
	if all.marked == 0 || all.dropped == 0 || all.paused == 0 {
		t.Errorf("the scenario is to have marks, drops and pauses: %+v", all)
	}
	naks := uint64(0)
	for i := range o.Flows {
		s := o.Flows[i].Sender
		got := [4]uint64{total(&s.Over.Acked), total(&s.Over.CNPs), total(&s.Over.NAKs), total(&s.Over.Timeouts)}
		if want := [4]uint64{uint64(s.Acked), s.CNPs, s.NAKs, s.Timeouts}; got != want {
			t.Errorf("%s: %v, want %v", o.Plan.Flows[i].Name, got, want)
		}
		naks += s.NAKs
	}
	if naks == 0 {
		t.Error("the scenario is to have NAKs")
	}
}

// A port never sends more in a bin than its rate allows, for any width: a frame that lasts beyond the bin is in both.
// Tier: -short. Red if a frame counts in the bin of its first bit.
func TestNoPortSendsMoreThanItsRate(t *testing.T) {
	p := plansOf(t, eventful)
	for _, interval := range []unit.Duration{0, 100 * unit.Nanosecond, 30 * unit.Nanosecond} {
		t.Run(fmt.Sprintf("interval=%v", interval), func(t *testing.T) {
			p.Record.Interval = interval
			o := done(t, p, 1)
			full := 0
			for node := range p.EachNode {
				list := o.NICs
				if node.Kind == plan.KindSwitch {
					list = o.Switches[node.Index].Ports
				} else {
					list = list[node.Index : node.Index+1]
				}
				for i := range list {
					most := int64(p.AttachmentAt(&node, i).Tx.Rate.BytesIn(o.Recorded.Width))
					sent := &list[i].Over.Sent
					for bin := range sent.Len() - 1 { // the last has all of a frame under way at the end
						if v := sent.At(bin); v > most+1 {
							t.Fatalf("%s:%d in bin %d of %v: %d bytes, its rate allows %d", node.Name, i, bin, o.Recorded.Width, v, most)
						} else if v > most*9/10 {
							full++
						}
					}
				}
			}
			if full < 50 {
				t.Errorf("only %d bins are full", full)
			}
		})
	}
}

// A run whose bins have merged has what a run with an interval of 100 ns has in all bins together that
// lie in one of them, with pauses as with drops.
func TestBinsOfARunAreThoseOfAnInterval(t *testing.T) {
	lossy := strings.Replace(eventful, "switch: {", "switch: {buffer: 100KB, pfc: {enabled: false}, ", 1)
	lossy = strings.Replace(lossy, "  - {kind: pfc-storm, host: h3, from: 100us, to: 300us}\n", "", 1)
	for _, text := range []string{eventful, lossy} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			compareWidths(t, text)
		})
	}
}

func compareWidths(t *testing.T, text string) {
	p := plansOf(t, text+"run: {until: 3ms}\n")
	o := done(t, p, 1)
	if r := o.Recorded; r.Width != 8*unit.Microsecond || r.Bins != 375 || len(r.LeftOut) != 0 {
		t.Fatalf("recorded %+v", r)
	}
	p.Record.Interval = 100 * unit.Nanosecond
	direct := done(t, p, 1)
	if o.Trace != direct.Trace {
		t.Fatal("what is recorded shows in the trace")
	}
	each := int(o.Recorded.Width / p.Record.Interval)
	same := func(what string, merged, fine *record.Series) {
		for bin := range max(merged.Len(), (fine.Len()+each-1)/each) {
			want := int64(0)
			for i := bin * each; i < (bin+1)*each; i++ {
				switch v := fine.At(i); fine.Kind {
				case record.Sum:
					want += v
				case record.Max:
					want = max(want, v)
				case record.Last:
					want = v
				}
			}
			if merged.At(bin) != want {
				t.Errorf("%s, bin %d: %d, by bins of 100 ns %d", what, bin, merged.At(bin), want)
				return
			}
		}
	}
	list := func(o *result.Outcome) (names []string, series []*record.Series) {
		add := func(name string) func(*record.Series) {
			return func(s *record.Series) { names, series = append(names, name), append(series, s) }
		}
		ports(o, func(name string, p *record.Port) {
			p.Over.EachSeries(add(name))
			if p.Queues.At(3).Depth != nil {
				add(name + " queue 3")(p.Queues.At(3).Depth)
			}
		})
		for i := range o.Flows {
			o.Flows[i].Sender.Over.EachSeries(add(o.Plan.Flows[i].Name))
		}
		return names, series
	}
	names, merged := list(o)
	again, want := list(direct)
	if !slices.Equal(names, again) {
		t.Fatalf("series of %v, with an interval of %v", names, again)
	}
	for i := range names {
		same(names[i], merged[i], want[i])
	}
}

// In a large fabric the series of a switch's tiers are the sums of its ports' counts, the series of groups the sums of
// their flows, and at most two queues of a switch have one.
func TestTiersAndGroupsAddUp(t *testing.T) {
	p := plansOf(t, large)
	o := done(t, p, 2)
	tiers := p.Tiers()
	queues := 0
	for i := range o.Switches {
		var want [plan.NumTiers]tallied
		has := 0
		for j := range o.Switches[i].Ports {
			port := &o.Switches[i].Ports[j]
			want[tiers[i][j]].add(port)
			for q := range profile.Classes {
				if port.Queues.At(q).Depth != nil {
					has++
					if port.Queues.At(q).Congested == 0 {
						t.Errorf("%s:%d queue %d has a series, and never passed Kmin", p.Switches[i].Name, j, q)
					}
				}
			}
			if port.Over != nil {
				t.Fatalf("%s:%d has series of its own", p.Switches[i].Name, j)
			}
		}
		if has > 2 {
			t.Errorf("%s: %d queues have series", p.Switches[i].Name, has)
		}
		queues += has
		for k := range o.Switches[i].Tiers {
			tier := &o.Switches[i].Tiers[k]
			want[tier.Tier].check(t, fmt.Sprint(p.Switches[i].Name, " ", tier.Tier), &tier.Over)
			want[tier.Tier] = tallied{}
		}
		if want != [plan.NumTiers]tallied{} {
			t.Errorf("%s: no series have %+v", p.Switches[i].Name, want)
		}
	}
	if queues == 0 {
		t.Error("no queue passed Kmin")
	}
	for g, name := range p.Groups() {
		var got, want [4]uint64
		over := &o.Groups[g]
		got = [4]uint64{total(&over.Acked), total(&over.CNPs), total(&over.NAKs), total(&over.Timeouts)}
		for i := range o.Flows {
			if s := o.Flows[i].Sender; p.Flows[i].Group == name {
				want[0], want[1] = want[0]+uint64(s.Acked), want[1]+s.CNPs
				want[2], want[3] = want[2]+s.NAKs, want[3]+s.Timeouts
			}
		}
		if got != want || want[0] == 0 || over.Decided.Len() > 0 {
			t.Errorf("%s: %v, want %v; %d bins of a rate", name, got, want, over.Decided.Len())
		}
	}
	if alone := done(t, p, 1); !reflect.DeepEqual(alone.Groups, o.Groups) ||
		!reflect.DeepEqual(alone.Recorded, o.Recorded) {
		t.Error("another number of workers records something else")
	}
}

// With record.off nothing is kept, and the run is the same.
func TestNothingIsRecorded(t *testing.T) {
	p := plansOf(t, eventful)
	with := done(t, p, 1)
	p.Record.Off = true
	o := done(t, p, 1)
	ports(o, func(name string, port *record.Port) {
		for q := range profile.Classes {
			if port.Over != nil || port.Queues.At(q).Depth != nil || port.Queues.At(q).Depths != nil {
				t.Errorf("%s is recorded", name)
			}
		}
	})
	for i := range o.Flows {
		if o.Flows[i].Sender.Over != nil {
			t.Error("a flow is recorded")
		}
	}
	s, was := result.Summarise(o), result.Summarise(with)
	if o.Recorded != nil || o.Trace != with.Trace || !math.IsNaN(s.QueueP99Bytes) || s.QueueMaxBytes != was.QueueMaxBytes {
		t.Errorf("recorded %+v, trace %016x and %016x, queue %v and %d, was %d", o.Recorded, o.Trace, with.Trace,
			s.QueueP99Bytes, s.QueueMaxBytes, was.QueueMaxBytes)
	}
	if was.QueueP99Bytes <= 0 || was.QueueP99Bytes > float64(was.QueueMaxBytes) || was.QueueP50Bytes > was.QueueP99Bytes {
		t.Errorf("queue %v, %v, at most %d", was.QueueP50Bytes, was.QueueP99Bytes, was.QueueMaxBytes)
	}
	shares := was.WaitShare
	if sum := shares[plan.TierHost] + shares[plan.TierLeaf] + shares[plan.TierSpine]; math.Abs(sum-1) > 1e-9 ||
		!math.IsNaN(shares[plan.TierDCI]) {
		t.Errorf("shares of waiting %v", shares)
	}
}

// The recording follows from the plan: series of their own up to 256 ports and 256 flows, and fewer bins if all would
// take more than 8 MB.
func TestBudget(t *testing.T) {
	star := func(hosts, senders, flows int) string {
		return fmt.Sprintf("name: star\ntopology: {kind: star, hosts: %d}\nalgorithm: dcqcn\ntraffic:\n"+
			"  - {kind: incast, senders: %d, receiver: h0, size: 1KB, flows: %d}\n", hosts, senders, flows)
	}
	tree := func(hosts int) string {
		return fmt.Sprintf("name: tree\ntopology: {kind: fat-tree, hosts: %d}\nalgorithm: dcqcn\ntraffic:\n"+
			"  - {kind: permutation, size: 1KB}\n", hosts)
	}
	grid := func(bins int) record.Grid { return record.Grid{Width: unit.Microsecond, Most: bins} }
	for _, c := range []struct {
		name, text string
		want       plan.Recording
	}{
		{"17 hosts", star(17, 16, 1), plan.Recording{Grid: grid(512), Ports: true, Flows: true, Queues: 4}},
		{"256 ports", star(128, 64, 1), plan.Recording{Grid: grid(512), Ports: true, Flows: true, Queues: 4}},
		{"258 ports", star(129, 64, 1), plan.Recording{Grid: grid(512), Flows: true, Queues: 2}},
		{"256 flows", star(17, 16, 16), plan.Recording{Grid: grid(512), Ports: true, Flows: true, Queues: 4}},
		{"272 flows", star(17, 16, 17), plan.Recording{Grid: grid(512), Ports: true, Queues: 4}},
		{"768 ports", tree(128), plan.Recording{Grid: grid(512), Flows: true, Queues: 2}},
		{"6144 ports", tree(1024), plan.Recording{Grid: grid(284), Queues: 2}},
		{"6400 flows", star(129, 64, 100), plan.Recording{
			Grid:   record.Grid{Width: 2 * unit.Microsecond, Most: 512},
			Sends:  record.Grid{Width: 8 * unit.Microsecond, Most: 128},
			Queues: 2,
		}},
		{"an interval", star(129, 64, 8) + "record: {interval: 10us}\n", plan.Recording{
			Grid: record.Grid{Width: 10 * unit.Microsecond}, Ports: true, Flows: true, Queues: 8}},
		{"off", star(17, 16, 1) + "record: {off: true, interval: 10us}\n", plan.Recording{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := plansOf(t, c.text).Recording()
			got.Values = record.Grid{} // which has a test of its own
			if c.want.Sends == (record.Grid{}) {
				c.want.Sends = c.want.Grid // fewer flows than take their 16 MB
			}
			if got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		})
	}
}

// The files of a run's series have at most 2 MB, though their bins would take more: here a hundred ports that are busy
// all the time. The files have nearly as much, the bins of each are as wide as summary.json records, and no byte is
// lost in them. Tier: -short. Red if a file is not folded, or if all files have bins of the width of the widest.
func TestSeriesFitTheirFiles(t *testing.T) {
	p := plansOf(t, "name: busy\ntopology: {kind: star, hosts: 60}\nalgorithm: dcqcn\ntraffic:\n"+
		"  - {kind: all-to-all, hosts: 14, size: 400KB}\n  - {kind: permutation, size: 5MB}\nrun: {until: 600us}\n")
	o := done(t, p, 1)
	if o.Recorded.Width != 2*unit.Microsecond {
		t.Errorf("recorded %+v", o.Recorded)
	}
	dir := filepath.Join(t.TempDir(), "run")
	folder, err := result.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	summary := result.Summarise(o)
	if err := folder.WriteRun("", o, summary, result.Judge(o, summary)); err != nil {
		t.Fatal(err)
	}
	var written struct {
		Recording struct {
			Width   float64            `json:"width_us"`
			Widths  map[string]float64 `json:"widths_us"`
			LeftOut []string           `json:"left_out"`
		}
	}
	text, err := os.ReadFile(filepath.Join(dir+".part", "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &written)
	}
	if err != nil || written.Recording.Width != 2 || len(written.Recording.Widths) != 4 {
		t.Fatalf("%v, summary.json has %+v", err, written)
	}
	sum, sent, acked := 0, uint64(0), uint64(0)
	for name, width := range written.Recording.Widths {
		text, err := os.ReadFile(filepath.Join(dir+".part", name))
		if err != nil {
			t.Fatal(err)
		}
		sum += len(text)
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		sentAt, ackedAt := slices.Index(rows[0], "tx_bytes"), slices.Index(rows[0], "acked_bytes")
		for _, row := range rows[1:] {
			if at, err := strconv.ParseFloat(row[2], 64); err != nil || at > 600 || math.Mod(at, width) != 0 {
				t.Fatalf("%s: a bin at %s, %v us wide", name, row[2], width)
			}
			if sentAt > 0 {
				n, _ := strconv.ParseUint(row[sentAt], 10, 64)
				sent += n
			}
			if ackedAt > 0 {
				n, _ := strconv.ParseUint(row[ackedAt], 10, 64)
				acked += n
			}
		}
		said := slices.ContainsFunc(written.Recording.LeftOut, func(s string) bool { return strings.Contains(s, name) })
		recorded := map[string]float64{"series_values.csv": 4}[name]
		if said != (width > max(2, recorded)) {
			t.Errorf("%s has bins of %v us: %q", name, width, written.Recording.LeftOut)
		}
	}
	var all tallied
	ports(o, func(_ string, p *record.Port) { all.add(p) })
	for i := range o.Flows {
		acked -= uint64(o.Flows[i].Sender.Acked)
	}
	if sum > 2_000_000 || sum < 1_200_000 || sent != all.sent || acked != 0 {
		t.Errorf("%d bytes of series, %d bytes sent, want %d; %d too many acknowledged", sum, sent, all.sent, int64(acked))
	}
	widths := written.Recording.Widths
	if widths["series_queues.csv"] >= widths["series_flows.csv"] {
		t.Errorf("%v: lengths of queues take little, and are as coarse as the rest", widths)
	}
	if err := folder.Discard(); err != nil {
		t.Fatal(err)
	}
}

// A run lasts at least as long as Plan.Shortest demands, and an incast at most twice that. Tier: -short. Red if bytes
// count twice.
func TestRunsLastAsLongAsTheyMust(t *testing.T) {
	incast := "name: incast\ntopology: {kind: star, hosts: 9}\nalgorithm: dcqcn\ntraffic:\n" +
		"  - {kind: incast, senders: 8, receiver: h0, size: 100KB, start: 7us}\n"
	for _, text := range []string{eventful, large, incast, eventful + "run: {until: 70us}\n"} {
		p := plansOf(t, text)
		if o := done(t, p, 1); o.End < p.Shortest() || text == incast && o.End > 2*p.Shortest() {
			t.Errorf("%s ended at %v, and was to last %v at least", p.Name, o.End, p.Shortest())
		}
	}
}

// A port's tier is where it leads to.
func TestTiers(t *testing.T) {
	for _, c := range []struct{ topology, name, want string }{
		{"{kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 3}", "leaf0", "[host host host spine spine]"},
		{"{kind: leaf-spine, leaves: 2, spines: 2, hosts_per_leaf: 3}", "spine1", "[leaf leaf]"},
		{"{kind: fat-tree, hosts: 16}", "agg0", "[leaf leaf spine spine]"},
		{"{kind: two-dc, scale: 1/64}", "a-spine0", "[leaf leaf leaf leaf dci dci]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plansOf(t, "name: tiers\nalgorithm: dcqcn\ntraffic: [{kind: permutation, size: 1KB}]\n"+
				"topology: "+c.topology+"\n")
			var names []string
			found := false
			for i, tiers := range p.Tiers() {
				if names = append(names, p.Switches[i].Name); p.Switches[i].Name == c.name {
					found = true
					if got := fmt.Sprint(tiers); got != c.want {
						t.Errorf("%s of %s: %s, want %s", c.name, c.topology, got, c.want)
					}
				}
			}
			if !found {
				t.Errorf("%s has %v", c.topology, names)
			}
		})
	}
}

// Two flows of one packet between two NICs: each is counted in the bins of its events, at the NIC that starts it and a
// round trip, of 4 us and a bit, later.
func TestCountsAreInTheirBins(t *testing.T) {
	p := plansOf(t, "name: two\ntopology: {kind: star, hosts: 2}\nalgorithm: dcqcn\ntraffic:\n"+
		"  - {name: a, kind: flow, from: h0, to: h1, size: 1000B, start: 10us}\n"+
		"  - {name: b, kind: flow, from: h0, to: h1, size: 500B, start: 30us}\n")
	o := done(t, p, 1)
	filled := func(s *record.Series) string {
		text := ""
		for bin := range s.Len() {
			if v := s.At(bin); v != 0 {
				text += fmt.Sprint(bin, ":", v, " ")
			}
		}
		return text
	}
	for _, c := range []struct {
		name   string
		series *record.Series
		want   string
	}{
		{"sent by h0", &o.NICs[0].Over.Sent, "10:1074 30:574 "},
		{"sent to h1", &o.Switches[0].Ports[1].Over.Sent, "11:1074 31:574 "},
		{"acked of a", &o.Flows[0].Sender.Over.Acked, "14:1000 "},
		{"acked of b", &o.Flows[1].Sender.Over.Acked, "34:500 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := filled(c.series); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		})
	}
}
