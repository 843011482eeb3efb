package shipped

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// extremes are the least and the largest value of each parameter that has both, written name=value.
func extremes(d cc.Description) (list []string) {
	for _, p := range d.Params {
		if p.Min != "" && p.Max != "" {
			list = append(list, p.Name+"="+p.Min, p.Name+"="+p.Max)
		}
	}
	return list
}

// words are the settings of one word or switch each, and the defaults.
func words(d cc.Description) (list []string) {
	list = []string{""}
	for _, p := range d.Params {
		choices := p.Choices
		if p.Kind == cc.KindSwitch {
			choices = []string{"true", "false"}
		}
		for _, c := range choices {
			if c != p.Default {
				list = append(list, p.Name+"="+c)
			}
		}
	}
	return list
}

// given makes parameters of name=value; nil if one name has two values.
func given(settings ...string) map[string]string {
	params := map[string]string{}
	for _, s := range settings {
		name, value, ok := strings.Cut(s, "=")
		if _, twice := params[name]; twice {
			return nil
		}
		if ok {
			params[name] = value
		}
	}
	return params
}

// life is a flow's life of random events, in which every timer and byte counter is served in time.
type life struct {
	chance *chance.Stream
	facts  cc.Facts
	sender cc.Sender
	// began is the time at which the flow starts.
	began    unit.Time
	event    cc.Event
	decision cc.Decision
	stamper  inband.Stamper
}

func newLife(controller cc.Controller, began unit.Time) *life {
	facts := cctest.Facts()
	return &life{
		chance:   chance.New(7, "life"),
		facts:    facts,
		sender:   controller.NewSender(facts),
		began:    began,
		event:    cc.Event{Now: began},
		decision: cc.Decision{Rate: facts.LineRate},
		stamper:  inband.NewStamper(facts.LineRate),
	}
}

// next draws what the NIC hands over next. A timer comes at its instant or, among other events, soon.
func (l *life) next() {
	event, decision, c := &l.event, &l.decision, l.chance
	at := event.Now.Add(unit.Duration(c.Below(1 << c.Below(28))))
	sent := event.Sent + unit.Bytes(c.Below(1<<c.Below(18)))
	event.Kind = cc.EventKind(1 + c.Below(7))
	if event.Kind == cc.EventSent || event.Kind == cc.EventTimer {
		event.Kind = cc.EventAck
	}
	if decision.WakeAt != 0 && decision.WakeAt <= at {
		if at = decision.WakeAt; c.Below(4) > 0 {
			event.Kind, decision.WakeAt = cc.EventTimer, 0
		}
		sent = event.Sent
	}
	if decision.WakeBytes != 0 && decision.WakeBytes <= sent {
		event.Kind, sent, decision.WakeBytes = cc.EventSent, decision.WakeBytes, 0
	}
	event.Now, event.Sent = at, sent
	event.Clock = at.Nanoseconds() + c.Between(-100, 100)
	event.Echo = event.Clock - c.Between(1000, 20_000)
	event.RTT = l.facts.BaseRTT + unit.Duration(c.Below(1<<c.Below(30)))
	event.OneWayDelay = unit.Duration(c.Below(1<<c.Below(20))) * unit.Nanosecond
	event.BaseRate = unit.BitRate(c.Between(0, 100_000_000)) * unit.Kbps
	event.Acked, event.Flows, event.CE = l.facts.MTU, uint32(c.Between(1, 64)), c.Below(2) == 0
	event.INT = inband.Stack{Max: inband.MaxHops}
	sentBefore := unit.Bytes(at.Sub(l.began) / (80 * unit.Picosecond))
	event.INT.Push(l.stamper.Stamp(at, sentBefore, unit.Bytes(c.Below(1<<20))))
}

// live plays a number of events and returns a line for each decision, with times from the flow's start. Nothing wraps:
// each decision passes cctest.Check, with deadlines within the longest that a parameter allows.
func (l *life) live(events int) (transcript []string, err error) {
	longest := cc.MostDuration
	largest := cc.MostBytes
	for range events {
		before := l.decision
		l.sender.Handle(&l.event, &l.decision)
		d := &l.decision
		err := cctest.Check(&l.event, &before, d)
		switch {
		case err != nil:
		case d.WakeAt != 0 && d.WakeAt.Sub(l.event.Now) > longest:
			err = fmt.Errorf("a timer %v from now", d.WakeAt.Sub(l.event.Now))
		case d.WakeBytes != 0 && d.WakeBytes-l.event.Sent > largest:
			err = fmt.Errorf("a byte counter %v from now", d.WakeBytes-l.event.Sent)
		case d.Window > largest:
			err = fmt.Errorf("a window of %v", d.Window)
		}
		if err != nil {
			return nil, err
		}
		wake := unit.Duration(-1)
		if d.WakeAt != 0 {
			wake = d.WakeAt.Sub(l.began)
		}
		transcript = append(transcript, fmt.Sprint(l.event.Now.Sub(l.began), l.event.Kind, d.Rate, d.Window, d.Gap, wake,
			d.WakeBytes))
		l.next()
	}
	return transcript, nil
}

// wraps plays a life that begins early and the same at the end of the longest run. A bad decision is an error, and so
// is one that differs between the two.
func wraps(controller cc.Controller, events int) error {
	const soon = 10 * unit.Second
	longest := cc.MostDuration
	early, err := newLife(controller, unit.Time(soon)).live(events)
	if err != nil {
		return err
	}
	late, err := newLife(controller, unit.Time(longest)).live(events)
	if err != nil {
		return fmt.Errorf("from %v on: %w", longest, err)
	}
	for i := range early {
		if early[i] != late[i] {
			return fmt.Errorf("the answer to event %d is %s, and from %v on %s", i, early[i], longest, late[i])
		}
	}
	return nil
}

// Each parameter of each shipped algorithm at its Min and at its Max, by itself beside each word of each choice and in
// pairs: whatever the algorithm takes, its decisions are sound, no deadline lies before the present, and a late start
// changes nothing.
func TestParametersAtTheirBounds(t *testing.T) {
	for _, a := range All() {
		d := a.Describe()
		t.Run(d.Name, func(t *testing.T) {
			tried := 0
			// try reports whether the algorithm takes the settings together.
			try := func(settings ...string) bool {
				params := given(settings...)
				if params == nil {
					return false
				}
				p, err := hosting.Parse(d, params)
				if err != nil {
					t.Fatalf("%v: %v", params, err)
				}
				controller, err := a.New(p)
				if named := new(cc.ParamError); errors.As(err, &named) {
					return false
				}
				if err == nil {
					tried++
					err = wraps(controller, 60)
				}
				if err != nil {
					t.Errorf("%v: %v", params, err)
				}
				return true
			}
			list, alone := extremes(d), map[string]bool{}
			for _, word := range words(d) {
				for i, one := range list {
					taken := try(word, one)
					if word == "" {
						alone[one] = taken
					}
					for _, other := range list[:i] {
						// Beside a word only pairs that need it.
						if taken && (word == "" || !alone[one] || !alone[other]) {
							try(word, one, other)
						}
					}
				}
			}
			if tried < len(list) {
				t.Errorf("%d settings of %d bounds", tried, len(list))
			}
			t.Logf("%d settings", tried)
		})
	}
}

// undecided are bounds at which an algorithm may leave its rate at the line rate, whatever it hears: at all others it
// must decide. The value is the reason.
var undecided = map[string]string{
	"dcqcn:rate_reduce_monitor_period=1s": "the clock that cuts ticks after the life",
	"dcqcn:cnp_jitter=1s":                 "a CNP waits until after the life",
	"dcqcn:rpg_min_dec_fac=100":           "a cut leaves the whole rate",
	"dcqcn:rpg_min_rate=100Tbps":          "the floor is above the line rate",
	"dctcp:min_rate=100Tbps":              "the floor is above the line rate",
	"dctcp:initial_rate=1bps":             "the flow begins at the floor",
}

// An algorithm that hears of congestion by CNPs or by marks decides something at every bound of every parameter, except
// those whose purpose is to prevent it.
func TestParametersLeaveAlgorithmsDeciding(t *testing.T) {
	missed := maps.Clone(undecided)
	for _, a := range All() {
		d := a.Describe()
		for _, setting := range slices.Concat(words(d), extremes(d)) {
			p, err := hosting.Parse(d, given(setting))
			if err != nil {
				t.Fatal(err)
			}
			controller, err := a.New(p)
			if err != nil {
				continue
			}
			if signals := controller.Signals(); !signals.CNP && !signals.ECNEcho {
				continue
			}
			name := d.Name + ":" + setting
			_, allowed := undecided[name]
			if decides(controller) == allowed {
				t.Errorf("%s: decides %v", name, !allowed)
			}
			delete(missed, name)
		}
	}
	for name := range missed {
		t.Errorf("%s is no setting", name)
	}
}

// decides reports whether a sender that hears of congestion every 4 us, for 2 ms, changes its rate or window.
func decides(controller cc.Controller) bool {
	l := newLife(controller, 0)
	l.sender.Handle(&l.event, &l.decision)
	first := l.decision
	for n := range 500 {
		now := unit.Time((n + 1) * 4 * int(unit.Microsecond))
		sent := unit.Bytes(n+1) * 50_000
		for l.decision.WakeAt != 0 && l.decision.WakeAt < now || l.decision.WakeBytes != 0 && l.decision.WakeBytes < sent {
			if l.decision.WakeAt != 0 && l.decision.WakeAt < now {
				l.event.Kind, l.event.Now, l.decision.WakeAt = cc.EventTimer, l.decision.WakeAt, 0
			} else {
				l.event.Kind, l.event.Sent, l.decision.WakeBytes = cc.EventSent, l.decision.WakeBytes, 0
			}
			l.sender.Handle(&l.event, &l.decision)
			if l.decision.Rate != first.Rate || l.decision.Window != first.Window {
				return true
			}
		}
		l.event.Now, l.event.Sent, l.event.Acked, l.event.RTT, l.event.CE = now, sent, 1000, l.facts.BaseRTT, true
		for _, l.event.Kind = range []cc.EventKind{cc.EventAck, cc.EventCNP} {
			l.sender.Handle(&l.event, &l.decision)
			if l.decision.Rate != first.Rate || l.decision.Window != first.Window {
				return true
			}
		}
	}
	return false
}
