package eventlog_test

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// lossy has four flows share a port that marks early, and one link that loses
// frames: every kind of event comes.
const lossy = `
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, size: 200KB, algorithm: %s}]
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
faults: [{link: h0-s0, loss: 0.02}]
`

func planFor(t testing.TB, name string) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("test.yaml", fmt.Appendf(nil, lossy, name), model.Checker(shipped.Find))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return plans[0]
}

// record runs p and returns the trace, and the logs as text and in memory.
func record(t testing.TB, p *plan.Plan) (trace uint64, texts []string, logs []*eventlog.Log) {
	t.Helper()
	var buffers []*bytes.Buffer
	var writers []*eventlog.Writer
	r := eventlog.Recorder{Open: func(h eventlog.Header) eventlog.Sink {
		h.Name = p.Flows[h.Flow].Name
		b, l := &bytes.Buffer{}, &eventlog.Log{Header: h}
		buffers, logs = append(buffers, b), append(logs, l)
		writers = append(writers, eventlog.NewWriter(b, h))
		return both{writers[len(writers)-1], l}
	}}
	out, err := mem.Run(context.Background(), p, mem.Options{Algorithms: r.Find(shipped.Find)})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range writers {
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, buffers[i].String())
	}
	return out.Trace, texts, logs
}

// both hands calls to two sinks.
type both [2]eventlog.Sink

func (b both) Step(s *eventlog.Step)           { b[0].Step(s); b[1].Step(s) }
func (b both) Reception(r *eventlog.Reception) { b[0].Reception(r); b[1].Reception(r) }

func configured(t *testing.T, name string, given map[string]string) cc.Controller {
	t.Helper()
	a, ok := shipped.Find(name)
	if !ok {
		t.Fatalf("no %s", name)
	}
	p, err := hosting.Parse(a.Describe(), given)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Recording changes nothing; a log is read back as it was recorded, and every algorithm answers a replay of it as it
// did in the run.
func TestLogsAreExact(t *testing.T) {
	for _, a := range shipped.All() {
		name := a.Describe().Name
		p := planFor(t, name)
		plain, err := mem.Run(context.Background(), p, mem.Options{Algorithms: shipped.Find})
		if err != nil {
			t.Fatal(err)
		}
		trace, texts, logs := record(t, planFor(t, name))
		if trace != plain.Trace {
			t.Errorf("%s: recorded, the trace is %016x, else %016x", name, trace, plain.Trace)
		}
		calls := 0
		for i, text := range texts {
			l, err := eventlog.Read(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(l.Params) == 0 {
				l.Params = logs[i].Params
			}
			if !reflect.DeepEqual(l, logs[i]) {
				t.Fatalf("%s: log %d is not what was recorded", name, i)
			}
			m, err := eventlog.Replay(l, configured(t, name, nil))
			if err != nil || m.Different != 0 {
				t.Errorf("%s, %s of flow %d: %v, %v", name, l.End, l.Flow, m.First, err)
			}
			calls += m.Calls
		}
		if calls < 4 {
			t.Errorf("%s: only %d calls", name, calls)
		}
	}
}

// An algorithm that draws gets the same draws in a replay.
func TestChanceIsReplayed(t *testing.T) {
	given := map[string]string{"cnp_jitter": "20us"}
	p := planFor(t, "dcqcn")
	p.Flows[0].Algorithm.Params = given
	_, texts, _ := record(t, p)
	drew := false
	for _, text := range texts {
		l, err := eventlog.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		m, err := eventlog.Replay(l, configured(t, "dcqcn", given))
		if err != nil || m.Different != 0 {
			t.Errorf("%v, %v", m.First, err)
		}
		l.Chance[0]++
		if m, err = eventlog.Replay(l, configured(t, "dcqcn", given)); err == nil && m.Different > 0 {
			drew = true
		}
	}
	if !drew {
		t.Error("another stream of chance gives the same answers")
	}
}

// Every kind of event is in the logs of an algorithm that asks for ACKs.
func TestLogsHaveEveryEvent(t *testing.T) {
	seen := map[cc.EventKind]int{}
	data, groups := 0, 0
	for _, name := range []string{"dcqcn", "pc4"} {
		t.Run(name, func(t *testing.T) {
			_, _, logs := record(t, planFor(t, name))
			for _, l := range logs {
				for _, s := range l.Steps {
					seen[s.Event.Kind]++
				}
				for _, r := range l.Receptions {
					if r.IsGroup {
						groups++
					} else {
						data++
					}
				}
			}
		})
	}
	for k := cc.EventStart; k <= cc.EventTimer; k++ {
		if seen[k] == 0 && k != cc.EventSent && k != cc.EventTimeout {
			t.Errorf("no %v event", k)
		}
	}
	if data < 800 || groups < 4 {
		t.Errorf("%d data packets, %d words on groups", data, groups)
	}
}

// A changed algorithm, and other parameters, show with the first call that they
// change.
func TestReplayFindsTheFirstDifference(t *testing.T) {
	_, _, logs := record(t, planFor(t, "dcqcn"))
	l := logs[0]
	if l.End != eventlog.Sender || l.Name == "" {
		t.Fatalf("%v %q", l.End, l.Name)
	}
	m, err := eventlog.Replay(l, configured(t, "dcqcn", map[string]string{"rpg_min_dec_fac": "90"}))
	if err != nil || m.First == nil {
		t.Fatal(m, err)
	}
	if m.First.Field != "rate_bps" || m.First.What != "timer event" || m.Different == 0 || m.Rate == 0 {
		t.Errorf("%+v, %v", m, m.First)
	}
	// DCQCN cuts at the tick after a CNP.
	cnp := slices.IndexFunc(l.Steps, func(s eventlog.Step) bool { return s.Event.Kind == cc.EventCNP })
	if m.First.Number != cnp+2 || m.First.At != l.Steps[cnp+1].Event.Now {
		t.Errorf("first difference at call %d, the first CNP is call %d", m.First.Number, cnp+1)
	}
	if m, err = eventlog.Replay(l, configured(t, "pc4", nil)); err != nil || m.Different == 0 || strings.Join(m.Lacking,
		" ") != "Acks OneWayDelay" {
		t.Errorf("%+v, %v", m, err)
	}
	_, _, logs = record(t, planFor(t, "pc4"))
	for _, l := range logs {
		if l.End == eventlog.Receiver {
			l.Receptions[7].After.BaseRate++
			m, err := eventlog.Replay(l, configured(t, "pc4", nil))
			if err != nil || m.Different != 1 || m.First.Number != 8 || m.First.Field != "base_rate_bps" ||
				m.First.What != "data packet" {
				t.Errorf("%+v, %v, %v", m, m.First, err)
			}
			if _, err := eventlog.Replay(l, configured(t, "dcqcn", nil)); err == nil {
				t.Error("a receiver's log was replayed to an algorithm without one")
			}
			return
		}
	}
	t.Error("pc4 has no log of a receiver")
}

// fill sets every field of v to something of its own.
func fill(v reflect.Value, c *chance.Stream) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), c)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), c)
		}
	case reflect.Bool:
		v.SetBool(c.Below(2) == 1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(c.Uint64() >> (64 - v.Type().Bits()))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(c.Uint64()))
	case reflect.Float64:
		v.SetFloat(float64(int64(c.Uint64())) / 1e7)
	case reflect.Pointer: // the stream of chance, which Header holds by its state
	default:
		panic(v.Kind())
	}
}

// Whatever the fields of an event, a decision, an arrival and a feedback hold, they come back, and so do fields that
// were added to the contract yesterday.
func TestEveryFieldComesBack(t *testing.T) {
	c := chance.New(1, "fields")
	for range 200 {
		var h eventlog.Header
		fill(reflect.ValueOf(&h.Facts).Elem(), c)
		fill(reflect.ValueOf(&h.Signals).Elem(), c)
		fill(reflect.ValueOf(&h.Chance).Elem(), c)
		h.Flow, h.Facts.LineRate, h.Params, h.Algorithm = h.Facts.Flow, 1+h.Facts.LineRate>>1&0xffff,
			map[string]string{"a": "1"}, "x"
		var step eventlog.Step
		fill(reflect.ValueOf(&step).Elem(), c)
		step.Event.Kind %= cc.EventTimer + 1
		h.Values = nil
		for i := range step.Values {
			h.Values = append(h.Values, cc.Value{Name: fmt.Sprint("v", i), Unit: "us"})
			if v := &step.Values[i]; !v.Known {
				v.Number = 0
			}
		}
		reception := eventlog.Reception{IsGroup: c.Below(2) == 1}
		if reception.IsGroup {
			fill(reflect.ValueOf(&reception.Group).Elem(), c)
		} else {
			fill(reflect.ValueOf(&reception.Arrival).Elem(), c)
			fill(reflect.ValueOf(&reception.Before).Elem(), c)
			fill(reflect.ValueOf(&reception.After).Elem(), c)
		}
		for _, end := range []eventlog.End{eventlog.Sender, eventlog.Receiver} {
			t.Run(fmt.Sprintf("end=%v", end), func(t *testing.T) {
				h.End = end
				want := &eventlog.Log{Header: h}
				var b bytes.Buffer
				w := eventlog.NewWriter(&b, h)
				for range 2 {
					if end == eventlog.Sender {
						w.Step(&step)
						want.Step(&step)
					} else {
						w.Reception(&reception)
						want.Reception(&reception)
					}
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				got, err := eventlog.Read(&b)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("wrote\n%+v\nread\n%+v", want, got)
				}
			})
		}
	}
}

func TestBrokenLogsAreRefused(t *testing.T) {
	_, texts, _ := record(t, planFor(t, "dcqcn"))
	good := strings.SplitAfter(texts[0], "\n")
	for _, bad := range []struct{ name, text, says string }{
		{"nothing", "", "line 1: is missing"},
		{"no header", good[1], "line 1: is not a header"},
		{"other format", strings.Replace(good[0], `log":1`, `log":2`, 1), "format 2, this rocelab reads format 1"},
		{"other end", strings.Replace(good[0], `"sender"`, `"middle"`, 1), `end "middle", allowed are [sender receiver]`},
		{"lost line", good[0] + good[2], "line 2: n is 2, allowed is 1"},
		{"unknown event", good[0] + strings.Replace(good[1], `"start"`, `"party"`, 1), `event "party"`},
		{"unknown key", good[0] + strings.Replace(good[1], `"t_ps"`, `"t_ns"`, 1), `unknown field "t_ns"`},
		{"unknown key of a decision", good[0] + strings.Replace(good[1], `"event"`, `"decision":{"rate":1},"event"`, 1),
			`unknown field "rate"`},
		{"no number", good[0] + strings.Replace(good[1], `"event"`, `"rtt_ps":1.5,"event"`, 1),
			"rtt_ps is 1.5, allowed is a whole number"},
		{"large number", good[0] + strings.Replace(good[1], `"event"`, `"flows":4294967296,"event"`, 1),
			"flows is 4294967296, which is too large"},
		{"cut short", texts[0][:len(texts[0])-9], "unexpected EOF"},
		{"long line", good[0] + strings.Repeat("x", 1<<17), "line 2: is longer"},
	} {
		t.Run(bad.name, func(t *testing.T) {
			if _, err := eventlog.Read(strings.NewReader(bad.text)); err == nil || !strings.Contains(err.Error(), bad.says) {
				t.Errorf("%s: %v, want %q", bad.name, err, bad.says)
			}
		})
	}
}
