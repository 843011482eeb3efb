package cctest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// echo is an algorithm that asks for a wake-up after every event but a timer,
// and after every 1000 bytes.
type echo struct{}

func (echo) Describe() cc.Description             { return cc.Description{Name: "echo"} }
func (echo) New(cc.Params) (cc.Controller, error) { return echo{}, nil }
func (echo) Signals() cc.Signals                  { return cc.Signals{} }
func (echo) NewSender(cc.Facts) cc.Sender         { return echo{} }
func (echo) NewReceiver(cc.Facts) cc.Receiver     { return nil }
func (echo) Handle(e *cc.Event, d *cc.Decision) {
	if e.Kind != cc.EventTimer {
		d.WakeAt = e.Now.Add(5 * unit.Microsecond)
	}
	d.WakeBytes = (e.Sent/1000 + 1) * 1000
}

func TestReplay(t *testing.T) {
	got, err := Replay(echo{}, `# Timers before a command come before it, those of its instant after it.
> 0us start
old transcript goes away
> 5us cnp
> 10us sent 2500B
> 15us run
`)
	want := `# Timers before a command come before it, those of its instant after it.
> 0us start
0s start: rate=100000000000bps wake=5us wake_bytes=1000
> 5us cnp
5us cnp: rate=100000000000bps wake=10us wake_bytes=1000
> 10us sent 2500B
10us sent: rate=100000000000bps wake=15us wake_bytes=2000
10us sent: rate=100000000000bps wake=15us wake_bytes=3000
> 15us run
15us timer: rate=100000000000bps wake_bytes=3000
`
	if err != nil || got != want {
		t.Errorf("%v, got:\n%s", err, got)
	}
}

// teller puts its inputs into its decision.
type teller struct{ echo }

func (teller) New(cc.Params) (cc.Controller, error) { return teller{}, nil }
func (teller) NewSender(cc.Facts) cc.Sender         { return teller{} }
func (teller) Handle(e *cc.Event, d *cc.Decision) {
	d.Rate = max(e.BaseRate, 1)
	d.Window = e.Acked
	d.Gap = e.OneWayDelay + 10*unit.Microsecond
	if e.CE {
		d.WakeBytes = unit.Bytes(e.Echo) + unit.Bytes(e.RemoteDelay/unit.Nanosecond)
	}
}

// A signal in a script reaches the event, also if it is false or negative.
func TestScriptsTellSignals(t *testing.T) {
	got, err := Replay(teller{}, `> 0us start
> 1us ack base_rate=2Gbps acked=3KB owd=-4us ce=true echo=5us remote_delay=6us
> 2us ack ce=false owd=4us
`)
	want := `> 0us start
0s start: rate=1bps gap=10us
> 1us ack base_rate=2Gbps acked=3KB owd=-4us ce=true echo=5us remote_delay=6us
1us ack: rate=2000000000bps window=3000B gap=6us wake_bytes=11000
> 2us ack ce=false owd=4us
2us ack: rate=2000000000bps window=3000B gap=14us wake_bytes=11000
`
	if err != nil || got != want {
		t.Errorf("%v, got:\n%s", err, got)
	}
}

// restless asks again for what it was just woken for, or for very little more.
type restless struct {
	echo
	at    unit.Duration // from the event
	bytes unit.Bytes    // from what was sent
}

func (r restless) New(cc.Params) (cc.Controller, error) { return r, nil }
func (r restless) NewSender(cc.Facts) cc.Sender         { return r }
func (r restless) Handle(e *cc.Event, d *cc.Decision) {
	if r.at != none {
		d.WakeAt = e.Now.Add(r.at)
	}
	if r.bytes != none {
		d.WakeBytes = max(1, e.Sent+r.bytes)
	}
}

// none asks for no wake-up.
const none = -1

// An algorithm whose wake-ups do not end, or lie before the present, is an error that names it, the event and the
// limit, and not a hang; one that asks for one less passes.
func TestEndlessWakeUps(t *testing.T) {
	for _, x := range []struct {
		algorithm restless
		script    string
		want      string // "" for none
	}{
		{restless{at: none, bytes: 0}, "> 0us start\n> 8us sent 1B",
			"line 2: echo: the sent event at 8us is answered with next wake-up at 1 B of 1 B sent, allowed is " +
				"later"},
		{restless{at: none, bytes: 1}, "> 0us start\n> 8us sent 1MB",
			"line 2: echo: the sent event at 8us, 10000 B sent, is the 10000th wake-up in a row, allowed are fewer: " +
				"the next is asked for at 0s, 10001 B"},
		{restless{at: none, bytes: 1}, "> 0us start\n> 8us sent 10000B", "is the 10000th wake-up in a row"},
		{restless{at: none, bytes: 1}, "> 0us start\n> 8us sent 9999B\n> 9us sent 19998B", ""},
		{restless{at: 0, bytes: none}, "> 1us start\n> 8us run",
			"line 2: echo: the timer event at 1us is answered with next timer at 1us in the timer event of 1us, " +
				"allowed is later"},
		{restless{at: unit.Nanosecond, bytes: none}, "> 0us start\n> 10us run",
			"line 2: echo: the timer event at 10us, 0 B sent, is the 10000th wake-up in a row"},
		{restless{at: unit.Nanosecond, bytes: none}, "> 0us start\n> 9.999us run\n> 19.998us cnp", ""},
		{restless{at: unit.Nanosecond, bytes: none}, "> 0us start\n> 11us cnp", "the timer event at 10us"},
		{restless{at: -2 * unit.Microsecond, bytes: none}, "> 5us start", "line 1: echo: the start event at 5us is " +
			"answered with next timer at 3us, allowed is now or later"},
	} {
		t.Run(fmt.Sprintf("%.50q", x.script), func(t *testing.T) {
			_, err := Replay(x.algorithm, x.script)
			if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
				t.Errorf("%+v, %q: %v, want %q", x.algorithm, x.script, err, x.want)
			}
		})
	}
}

// fatal is a Test that ends by a panic.
type fatal struct{}

func (fatal) Helper()                           {}
func (fatal) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// Timers serves what a decision asks for, the last instant included, and ends a test whose timers do not end.
func TestTimers(t *testing.T) {
	for _, x := range []struct {
		step, until unit.Duration
		rests       unit.Duration // where the decision stands then
		want        string
	}{
		{10 * unit.Nanosecond, 95 * unit.Nanosecond, 100 * unit.Nanosecond, ""},
		{10 * unit.Nanosecond, 100 * unit.Nanosecond, 110 * unit.Nanosecond, ""},
		{unit.Nanosecond, 9999 * unit.Nanosecond, 10 * unit.Microsecond, ""},
		{unit.Nanosecond, 10 * unit.Microsecond, 0,
			"cctest.restless: the timer event at 10us, 7 B sent, is the 10000th wake-up in a row"},
		{0, unit.Second, 0, "time would stand still"},
	} {
		t.Run(fmt.Sprintf("step=%v,until=%v", x.step, x.until), func(t *testing.T) {
			func() {
				defer func() {
					if said := fmt.Sprint(recover()); x.want != "" && !strings.Contains(said, x.want) {
						t.Errorf("%+v: %s", x, said)
					}
				}()
				d := cc.Decision{Rate: unit.Gbps, WakeAt: unit.Time(max(x.step, 1))}
				Timers(fatal{}, restless{at: x.step, bytes: -1}, &d, cc.Event{Sent: 7}, unit.Time(x.until))
				if x.want != "" || d.WakeAt != unit.Time(x.rests) {
					t.Errorf("%+v: the next timer is at %v", x, d.WakeAt)
				}
			}()
		})
	}
}

func TestReplayErrors(t *testing.T) {
	for script, message := range map[string]string{
		">":                            "line 1: empty command",
		"# a\n> 1us cnp":               "line 2: the flow has not started",
		"> 1us start\n> 0us cnp":       "line 2: time goes back",
		"> soon cnp":                   "not a duration",
		"> 1us":                        "no event at 1us",
		"> 0us start\n> 1us dance":     "no such event: dance",
		"> flow speed=1":               "no such fact",
		"> flow speed":                 "not key=value",
		"> 0us start\n> 1us ack x=1":   "no such signal",
		"> 0us start\n> 1us ack ce=so": "invalid syntax",
		"> algorithm a=1\n> 0us start": "no such parameter",
		"> 0us start\n> 1us sent":      "cumulative bytes",
		"> 0us start\n> 1us sent lots": "not a size",
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			if _, err := Replay(echo{}, script); err == nil || !strings.Contains(err.Error(), message) {
				t.Errorf("%q: %v, want %q", script, err, message)
			}
		})
	}
}
