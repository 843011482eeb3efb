package eventlog_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// telling is an algorithm whose values are the number of events, and from the third on none.
type telling struct{ events float64 }

func (t *telling) Describe() cc.Description {
	return cc.Description{Name: "telling", Values: []cc.Value{{Name: "events"}, {Name: "half", Unit: "us"}}}
}
func (t *telling) New(cc.Params) (cc.Controller, error) { return t, nil }
func (t *telling) Signals() cc.Signals                  { return cc.Signals{} }
func (t *telling) NewSender(cc.Facts) cc.Sender         { return &telling{} }
func (t *telling) NewReceiver(cc.Facts) cc.Receiver     { return nil }
func (t *telling) Handle(*cc.Event, *cc.Decision)       { t.events++ }
func (t *telling) Values(into []float64) {
	into[0], into[1] = t.events, 0.5
	if t.events > 2 {
		into[0], into[1] = math.NaN(), math.Inf(1)
	}
}

// A log has the values that changed, and a replay reads it with them and without.
func TestLogHasValues(t *testing.T) {
	var text strings.Builder
	var writer *eventlog.Writer
	recorder := eventlog.Recorder{Open: func(h eventlog.Header) eventlog.Sink {
		writer = eventlog.NewWriter(&text, h)
		return writer
	}}
	controller, err := recorder.Wrap(&telling{}).New(hosting.Params{})
	if err != nil {
		t.Fatal(err)
	}
	sender, decision := controller.NewSender(cctest.Facts()), cc.Decision{Rate: 1}
	for range 4 {
		sender.Handle(&cc.Event{Kind: cc.EventCNP}, &decision)
	}
	if err := writer.Flush(); err != nil {
		t.Fatal(err)
	}
	var into [2]float64
	if sender.(cc.Valued).Values(into[:]); !math.IsNaN(into[0]) {
		t.Errorf("the recorded sender tells %v", into)
	}
	lines := strings.Split(text.String(), "\n")
	for i, want := range []string{`"values":[{"name":"events"},{"name":"half","unit":"us"}]`,
		`"values":{"events":1,"half":0.5}}`, `"values":{"events":2}}`, `"values":{"events":null,"half":null}}`} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(lines[i], want) {
				t.Errorf("line %d is %s, want %s in it", i+1, lines[i], want)
			}
		})
	}
	if strings.Contains(lines[4], "values") {
		t.Errorf("nothing changed, and the line is %s", lines[4])
	}
	log, err := eventlog.Read(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	one, half := eventlog.Value{Known: true, Number: 1}, eventlog.Value{Known: true, Number: 0.5}
	if v := log.Steps[0].Values; v[0] != one || v[1] != half || v[2] != (eventlog.Value{}) ||
		log.Steps[1].Values[1] != half || log.Steps[3].Values[1] != (eventlog.Value{}) {
		t.Errorf("read %+v", log.Steps)
	}
	before := strings.NewReplacer(`,"values":[{"name":"events"},{"name":"half","unit":"us"}]`, "",
		`,"values":{"events":1,"half":0.5}`, "", `,"values":{"events":2}`, "",
		`,"values":{"events":null,"half":null}`, "").Replace(text.String())
	for name, text := range map[string]string{"with values": text.String(), "without": before} {
		t.Run(name, func(t *testing.T) {
			if name == "without" && strings.Contains(text, "values") {
				t.Fatal(text)
			}
			log, err := eventlog.Read(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if same, err := eventlog.Replay(log, &telling{}); err != nil || same.Calls != 4 || same.Different != 0 {
				t.Errorf("%s: %+v, %v", name, same, err)
			}
		})
	}
	for old, problem := range map[string]string{`{"events":2}`: "whole", `"name":"half"`: "twice"} {
		t.Run(old, func(t *testing.T) {
			now := map[string]string{`{"events":2}`: `{"whole":2}`, `"name":"half"`: `"name":"events"`}[old]
			if _, err := eventlog.Read(strings.NewReader(strings.Replace(text.String(), old, now, 1))); err == nil ||
				!strings.Contains(err.Error(), problem) {
				t.Errorf("%s for %s: %v", now, old, err)
			}
		})
	}
}
