package result

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// rerouted is a star whose link 0 goes down from 2 to 9 us, as if its ends knew at 3 and all switches at 5 us. Its flow
// goes on at 8 us: a NAK at 4 us was lost, the next one came at 7 us.
func rerouted() (*Outcome, func(int) []FlowOutage) {
	o := star()
	o.End = 40 * us
	receiver := &o.Plan.NICs[o.Plan.Flows[0].Dst].Profile
	receiver.NAK, receiver.NAKInterval = profile.NAKEachInterval, 3*unit.Microsecond
	outage := LinkOutage{
		Outage:   fabric.Outage{From: 2 * us, To: 9 * us},
		Reaction: Reaction{Detected: 3 * us, Settled: 5 * us, Restored: 10 * us, Returned: 11 * us},
	}
	flow := &o.Flows[0]
	flow.BaseRTT = 100 * unit.Nanosecond
	flow.Sender.Started, flow.Sender.Completed, flow.Sender.Resent = us, 20*us, 1
	flow.Receiver.Gaps = []record.Gap{{
		From:      us,
		Length:    7 * unit.Microsecond,
		NAKs:      2,
		NAKBefore: 4 * us,
		NAK:       7 * us,
	}}
	flow.Sender.Resumes = []record.Resume{{Length: 7 * unit.Microsecond, Again: 7*us + us/2}}
	link := &o.Plan.Links[0]
	for _, end := range []plan.End{link.A, link.B} {
		port, _ := o.port(end)
		port.Outages = []record.OutageLoss{{
			Void:    record.Loss{Frames: 3, Bytes: 300},
			Flushed: record.Loss{Frames: 2, Bytes: 150},
		}}
	}
	return o, func(flow int) []FlowOutage {
		if flow > 0 {
			return nil
		}
		return []FlowOutage{{LinkOutage: outage, Known: 3 * us, Whole: 5 * us, Rerouted: true}}
	}
}

// find finds the outages of an outcome whose flow 0 has them on its way.
func find(o *Outcome, on func(int) []FlowOutage) {
	var all []LinkOutage
	for _, outage := range on(0) {
		all = append(all, outage.LinkOutage)
	}
	o.FindOutages(all, on)
}

// The row of an outage has what it lost at both ends by cause, and what the recovery of its flow went to, which adds
// up; a run without outages has no such file.
func TestOutageSheet(t *testing.T) {
	o, on := rerouted()
	find(o, on)
	o.Outages[0].NoRoute = record.Loss{Frames: 5, Bytes: 500}
	dir := t.TempDir() + "/run"
	writeFolder(t, dir, o)
	files := contents(t, dir)
	got := strings.Split(files["a/outages.csv"], "\n")
	at := map[string]string{}
	for i, name := range strings.Split(got[0], ",") {
		at[name] = strings.Split(got[1], ",")[i]
	}
	for name, want := range map[string]string{
		"from_us": "2.000000", "to_us": "9.000000", "detected_us": "3.000000", "settled_us": "5.000000",
		"restored_us": "10.000000", "void_frames": "6", "void_bytes": "600", "flushed_frames": "4", "flushed_bytes": "300",
		"no_route_frames": "5", "no_route_bytes": "500", "flows": "1", "unrecovered_flows": "0", "qp_errors": "0",
		"recovery_p50_us": "6.000000", "recovery_max_us": "6.000000", "longest_flow": o.Plan.Flows[0].Name,
		"link_us": "0.000000", "switch_us": "1.000000", "neighbours_us": "2.000000", "nak_timer_us": "2.000000",
		"rto_us": "0.000000", "rest_us": "1.000000", "iterations": "0",
	} {
		t.Run(name, func(t *testing.T) {
			if at[name] != want {
				t.Errorf("%s is %q, want %q", name, at[name], want)
			}
		})
	}
	if !strings.Contains(files["columns.md"], "## outages.csv") {
		t.Error("columns.md does not explain it")
	}
	dir = t.TempDir() + "/run"
	writeFolder(t, dir, star())
	if _, there := contents(t, dir)["a/outages.csv"]; there {
		t.Error("a run without an outage has the file")
	}
}

// The metrics of outages follow, and are not measured without one.
func TestOutageFigures(t *testing.T) {
	o, on := rerouted()
	find(o, on)
	o.Outages[0].NoRoute = record.Loss{Frames: 5, Bytes: 500}
	s := Summarise(o)
	for name, want := range map[string]float64{
		"outage_recovery_max_us": 6, "outage_settled_us": 3, "outage_lost_bytes": 1400, "outage_lost_void_bytes": 600,
		"outage_lost_flushed_bytes": 300, "outage_lost_no_route_bytes": 500, "outage_flows": 1,
		"outage_unrecovered_flows": 0,
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := s.Value(name); got != want {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		})
	}
	for _, m := range outageMetrics {
		if value := m.Of(Summarise(star())); !math.IsNaN(value) {
			t.Errorf("%s of a run without outages is %v", m.Name, value)
		}
	}
}

// The parts of a recovery follow from the NICs' records; time without a record is the rest.
func TestRecoveryParts(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(flow *Flow, outage *FlowOutage)
		want   string
	}{
		{"a NAK timer", func(*Flow, *FlowOutage) {}, "1us the switch, 2us its neighbours, 2us the NAK timer, 1us the rest"},
		{"the first NAK", func(f *Flow, _ *FlowOutage) { f.Receiver.Gaps[0].NAKs = 1 },
			"1us the switch, 2us its neighbours, 3us the rest"},
		{"a NAK after the sender turned back", func(f *Flow, _ *FlowOutage) { f.Sender.Resumes[0].Again = 6 * us },
			"1us the switch, 2us its neighbours, 3us the rest"},
		{"a NAK before the ways were whole", func(f *Flow, _ *FlowOutage) { f.Receiver.Gaps[0].NAK = 5 * us },
			"1us the switch, 2us its neighbours, 3us the rest"},
		{"a timeout", func(f *Flow, _ *FlowOutage) { f.Sender.Resumes[0].Timeout = true },
			"1us the switch, 2us its neighbours, 2.5us the retransmission timer, 500ns the rest"},
		{"a timeout before the ways were whole", func(f *Flow, _ *FlowOutage) {
			f.Sender.Resumes[0].Timeout, f.Sender.Resumes[0].Again = true, 4*us
		}, "1us the switch, 2us its neighbours, 3us the rest"},
		{"ways that the switch mends", func(f *Flow, o *FlowOutage) { o.Whole = o.Known },
			"1us the switch, 3us the NAK timer, 2us the rest"},
		{"routes as they are", func(f *Flow, o *FlowOutage) {
			o.Rerouted, o.Settled, o.Whole, o.To = false, unit.Never, 6*us, 6*us
		}, "4us the link, 1us the NAK timer, 1us the rest"},
		{"a flow that went on before", func(f *Flow, o *FlowOutage) { f.Receiver.Gaps[0].Length = 3 * unit.Microsecond },
			"1us the switch, 1us its neighbours"},
	} {
		t.Run(x.name, func(t *testing.T) {
			o, on := rerouted()
			found := on(0)
			x.change(&o.Flows[0], &found[0])
			find(o, func(flow int) []FlowOutage {
				if flow > 0 {
					return nil
				}
				return found
			})
			if len(o.Outages) != 1 || len(o.Outages[0].Still) != 1 {
				t.Errorf("%s: %+v", x.name, o.Outages)
				return
			}
			still := &o.Outages[0].Still[0]
			sum := unit.Duration(0)
			for _, time := range still.Parts {
				sum += time
			}
			if got := still.Parts.String(); got != x.want || sum != still.Recovery {
				t.Errorf("%s: %s, %v of %v, want %s", x.name, got, sum, still.Recovery, x.want)
			}
		})
	}
}

// What a switch dropped for want of a route is of the outage that began last before its table changed, and of none if
// all tables are as before or the table never changed.
func TestNoRouteIsOfTheLatestOutage(t *testing.T) {
	o := star()
	o.End = 40 * us
	link := func(from, to, returned unit.Time) LinkOutage {
		return LinkOutage{Outage: fabric.Outage{From: from, To: to}, Reaction: Reaction{Returned: returned}}
	}
	for i, at := range []unit.Time{4 * us, 7 * us, 12 * us, 20 * us} {
		o.Plan.Switches[0].Epochs = append(o.Plan.Switches[0].Epochs, fabric.Epoch{At: at})
		o.Switches[0].NoRoute = append(o.Switches[0].NoRoute, record.Loss{Frames: 1 << i, Bytes: 100 << i})
	}
	o.Switches[0].NoRoute = append(o.Switches[0].NoRoute, record.Loss{Frames: 16, Bytes: 1600})
	o.FindOutages([]LinkOutage{link(3*us, 15*us, 16*us), link(5*us, 8*us, 9*us)}, func(int) []FlowOutage { return nil })
	// Since 4 us 2 frames and since 12 us 8 are of the first, since 7 us 4 of the second.
	for i, want := range []record.Loss{{Frames: 10, Bytes: 1000}, {Frames: 4, Bytes: 400}} {
		t.Run(fmt.Sprintf("Frames=%v", want.Frames), func(t *testing.T) {
			if got := o.Outages[i].NoRoute; got != want {
				t.Errorf("outage %d: %+v, want %+v", i, got, want)
			}
		})
	}
}

// The outages of all links of a rebooting switch are one note, which has a flow that stood still for two of them once,
// with the later time; an outage of one of these links at another time has a note of its own.
func TestARebootHasOneNote(t *testing.T) {
	o, on := rerouted()
	first := on(0)[0]
	second, other := first, first
	second.Link = 1
	other.Place, other.Outage = 1, fabric.Outage{From: 12 * us, To: 13 * us}
	o.Plan.Switches[0].Reboots = []fabric.Outage{first.Outage}
	flow := &o.Flows[0]
	flow.Receiver.Gaps = append(flow.Receiver.Gaps, record.Gap{From: us, Length: 9 * unit.Microsecond}, record.Gap{})
	flow.Sender.Resumes = append(flow.Sender.Resumes, record.Resume{}, record.Resume{})
	find(o, func(flow int) []FlowOutage {
		if flow > 0 {
			return nil
		}
		return []FlowOutage{first, second, other}
	})
	if len(o.Outages) != 3 {
		t.Fatalf("%d outages", len(o.Outages))
	}
	notes := outageNotes(o)
	for i, want := range []string{
		"switch s0, with 3 links, was down from 2us to 9us: " + o.Plan.Flows[0].Name + " stood still from 1us until 1us " +
			"after",
		"link h0-s0 was down from 12us to 13us: no flow stood still for it",
	} {
		t.Run(fmt.Sprintf("%.50q", want), func(t *testing.T) {
			if i >= len(notes) || !strings.HasPrefix(notes[i].Text, want) {
				t.Errorf("not %q: %q", want, notes)
			}
		})
	}
	if len(notes) != 2 {
		t.Errorf("%d notes: %q", len(notes), notes)
	}
	o.Plan.Switches[0].Reboots = nil
	if notes := outageNotes(o); len(notes) != 3 {
		t.Errorf("without the reboot there are %d notes: %q", len(notes), notes)
	}
}
