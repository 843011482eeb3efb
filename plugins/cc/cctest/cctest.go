package cctest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/contract"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Facts returns the facts of a flow at 100 Gb/s through one switch with links of
// 1 us: MTU 1000 B, 1098 B a packet on the wire.
func Facts() cc.Facts {
	return cc.Facts{
		LineRate:    100 * unit.Gbps,
		MTU:         1000,
		PacketBytes: 1098,
		BaseRTT:     4190 * unit.Nanosecond,
		Baseline:    2175 * unit.Nanosecond,
		Hops:        1,
		Chance:      chance.New(1, "flow"),
	}
}

// Params returns the parameters of an algorithm with the values given, as a scenario would give them, and all others at
// their defaults. The error names the parameter and the allowed values.
func Params(algorithm cc.Algorithm, given map[string]string) (cc.Params, error) {
	return hosting.Parse(algorithm.Describe(), given)
}

// Golden replays each script that the pattern matches and compares it with
// its own transcript, or, with rewrite, stores the new one.
func Golden(t *testing.T, algorithm cc.Algorithm, pattern string, rewrite bool) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts match %s: %v", pattern, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Replay(algorithm, string(want))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if rewrite {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if again, _ := Replay(algorithm, string(want)); again != got {
				t.Errorf("%s: two replays differ", name)
			}
			if got != string(want) {
				t.Errorf("%s differs; got:\n%s", name, got)
			}
		})
	}
}

// Replay runs a script and returns it with a new transcript.
func Replay(algorithm cc.Algorithm, script string) (string, error) {
	run := replay{algorithm: algorithm, facts: Facts()}
	lines := bufio.NewScanner(strings.NewReader(script))
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
			fmt.Fprintln(&run.out, line)
		case strings.HasPrefix(line, ">"):
			fmt.Fprintln(&run.out, line)
			if err := run.command(strings.Fields(line[1:])); err != nil {
				return "", fmt.Errorf("line %d: %w", number, err)
			}
		}
	}
	return run.out.String(), nil
}

type replay struct {
	algorithm cc.Algorithm
	facts     cc.Facts
	sender    cc.Sender
	decision  cc.Decision
	event     cc.Event
	given     map[string]string
	out       strings.Builder
	wakeUps   wakeUps // of the command under way
}

func (r *replay) command(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("empty command")
	}
	switch words[0] {
	case "algorithm":
		r.given = map[string]string{}
		return eachPair(words[1:], func(key, value string) error { r.given[key] = value; return nil })
	case "flow":
		return eachPair(words[1:], r.fact)
	}
	at, err := unit.ParseDuration(words[0])
	if err != nil {
		return err
	}
	if len(words) < 2 {
		return fmt.Errorf("no event at %s", words[0])
	}
	return r.at(unit.Time(at), words[1], words[2:])
}

func eachPair(words []string, set func(key, value string) error) error {
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("%q is not key=value", w)
		}
		if err := set(key, value); err != nil {
			return fmt.Errorf("%s: %w", w, err)
		}
	}
	return nil
}

func (r *replay) fact(key, value string) (err error) {
	switch key {
	case "line_rate":
		r.facts.LineRate, err = unit.ParseBitRate(value)
	case "base_rtt":
		r.facts.BaseRTT, err = unit.ParseDuration(value)
	case "baseline":
		r.facts.Baseline, err = unit.ParseDuration(value)
	case "flows":
		r.facts.Group.Flows, err = strconv.Atoi(value)
	default:
		err = fmt.Errorf("no such fact")
	}
	return err
}

func (r *replay) at(now unit.Time, verb string, args []string) error {
	if verb == "start" {
		if err := r.make(); err != nil {
			return err
		}
	}
	if r.sender == nil {
		return fmt.Errorf("the flow has not started")
	}
	if now < r.event.Now {
		return fmt.Errorf("time goes back")
	}
	r.wakeUps = wakeUps{of: r.algorithm.Describe().Name}
	if err := r.timers(now - 1); err != nil {
		return err
	}
	switch verb {
	case "start":
		return r.handle(now, cc.EventStart)
	case "cnp":
		if err := eachPair(args, r.signal); err != nil {
			return err
		}
		defer func() { r.event.CNPRate = 0 }()
		return r.handle(now, cc.EventCNP)
	case "nak":
		return r.handle(now, cc.EventNak)
	case "timeout":
		return r.handle(now, cc.EventTimeout)
	case "group":
		if err := eachPair(args, r.signal); err != nil {
			return err
		}
		defer func() { r.event.Flows = 0 }()
		return r.handle(now, cc.EventGroup)
	case "loss":
		if err := eachPair(args, r.signal); err != nil {
			return err
		}
		defer func() { r.event.Cause, r.event.Lost = cc.LossNone, 0 }()
		return r.handle(now, cc.EventLoss)
	case "run":
		return r.timers(now)
	case "sent":
		return r.sent(now, args)
	case "ack":
		if err := eachPair(args, r.signal); err != nil {
			return err
		}
		return r.handle(now, cc.EventAck)
	}
	return fmt.Errorf("no such event: %s", verb)
}

func (r *replay) make() error {
	p, err := Params(r.algorithm, r.given)
	if err != nil {
		return err
	}
	c, err := r.algorithm.New(p)
	if err != nil {
		return err
	}
	r.sender = c.NewSender(r.facts)
	r.decision, r.event = cc.Decision{Rate: r.facts.LineRate}, cc.Event{}
	return nil
}

// signal sets a field of the event, by its script word in package contract's table.
func (r *replay) signal(key, value string) error {
	for i := range contract.Event {
		if f := &contract.Event[i]; f.Script == key {
			return set(f.At(&r.event), value)
		}
	}
	return fmt.Errorf("no such signal")
}

// set reads a value by the type of what it is for. A plain number of an event is ns: a
// reading of a clock.
func set(at any, value string) (err error) {
	switch to := at.(type) {
	case *unit.Duration:
		*to, err = signed(value)
	case *unit.BitRate:
		*to, err = unit.ParseBitRate(value)
	case *unit.Bytes:
		*to, err = unit.ParseBytes(value)
	case *int64:
		var d unit.Duration
		d, err = signed(value)
		*to = d.Nanoseconds()
	case *uint32:
		var n uint64
		n, err = strconv.ParseUint(value, 10, 32)
		*to = uint32(n)
	case *cc.LossCause:
		i := slices.Index(contract.LossNames, value)
		if i < 0 {
			return fmt.Errorf("no such cause, known are %s", strings.Join(contract.LossNames, ", "))
		}
		*to = cc.LossCause(i)
	case *bool:
		*to, err = strconv.ParseBool(value)
	default:
		err = fmt.Errorf("a script cannot say it")
	}
	return err
}

// signed reads a duration that may be negative.
func signed(value string) (unit.Duration, error) {
	digits, negative := strings.CutPrefix(value, "-")
	d, err := unit.ParseDuration(digits)
	if negative {
		d = -d
	}
	return d, err
}

func (r *replay) sent(now unit.Time, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("sent takes the cumulative bytes")
	}
	total, err := unit.ParseBytes(args[0])
	if err != nil {
		return err
	}
	for r.decision.WakeBytes != 0 && r.decision.WakeBytes <= total {
		r.event.Sent = r.decision.WakeBytes
		r.decision.WakeBytes = 0
		if err := r.wake(now, cc.EventSent); err != nil {
			return err
		}
	}
	r.event.Sent = total
	return nil
}

// eventNames are the words of the transcript, by EventKind.
var eventNames = [...]string{"start", "sent", "ack", "nak", "cnp", "timeout", "timer", "group", "loss"}

// handle has the sender handle an event and writes down its decision. The error is Check's.
func (r *replay) handle(now unit.Time, kind cc.EventKind) error {
	r.event.Kind, r.event.Now, r.event.Clock = kind, now, now.Nanoseconds()
	before := r.decision
	r.sender.Handle(&r.event, &r.decision)
	if err := Check(&r.event, &before, &r.decision); err != nil {
		return fmt.Errorf("%s: %w", r.wakeUps.of, err)
	}
	decision := &r.decision
	fmt.Fprintf(&r.out, "%v %s: rate=%dbps", now, eventNames[kind], decision.Rate)
	if decision.Window != 0 {
		fmt.Fprintf(&r.out, " window=%dB", decision.Window)
	}
	if decision.Gap != 0 {
		fmt.Fprintf(&r.out, " gap=%v", decision.Gap)
	}
	if decision.WakeAt != 0 {
		fmt.Fprintf(&r.out, " wake=%v", decision.WakeAt)
	}
	if decision.WakeBytes != 0 {
		fmt.Fprintf(&r.out, " wake_bytes=%d", decision.WakeBytes)
	}
	fmt.Fprintln(&r.out)
	return nil
}
