package hosting

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func description() cc.Description {
	return cc.Description{Name: "demo", Params: []cc.Param{
		cc.Duration("span", "1us").In(10*unit.Nanosecond, unit.Millisecond).Doc("d").From("s"),
		cc.Rate("rate", "40Mbps").In(0, unit.Gbps).Doc("d").From("s"),
		cc.Bytes("size", "10MB").In(0, cc.MostBytes).Doc("d").From("s"),
		cc.Number("gain", "0.5").In(0, 1).Doc("d").From("s"),
		cc.Choice("mode", "fast").Of("fast", "slow").Doc("d").From("s"),
		cc.Flag("on", "true").Doc("d").From("s"),
		cc.Rate("open", "").In(unit.BitPerSecond, cc.MostRate).Doc("no default").From("s"),
		cc.File("file", "none").Doc("d").From("s"),
	}}
}

// A chain makes the parameter that a user reads: the bounds as text.
func TestChain(t *testing.T) {
	for want, made := range map[string]cc.Param{
		"{a 0 1us 0s 10s false [] d s}":         cc.Duration("a", "1us").In(0, 10*unit.Second).Doc("d").From("s"),
		"{a 1 1Mbps 1bps 2Kbps false [] d s}":   cc.Rate("a", "1Mbps").In(1, 2*unit.Kbps).Doc("d").From("s"),
		"{a 2  1B 100000GB false [] d s}":       cc.Bytes("a", "").In(1, cc.MostBytes).Doc("d").From("s"),
		"{a 3 1 0.000001 1000000 false [] d s}": cc.Number("a", "1").In(1e-6, 1e6).Doc("d").From("s"),
		"{a 3 -1  0 false [] d s}":              cc.Number("a", "-1").In(math.Inf(-1), 0).Doc("d").From("s"),
		"{a 4 x   false [x y] d s}":             cc.Choice("a", "x").Of("x", "y").Doc("d").From("s"),
		"{a 4 x   false [] d s}":                cc.Word("a", "x").Doc("d").From("s"),
		"{a 4 x   true [] d s}":                 cc.File("a", "x").Doc("d").From("s"),
		"{a 5 true   false [] d s}":             cc.Flag("a", "true").Doc("d").From("s"),
	} {
		t.Run(want, func(t *testing.T) {
			if got := fmt.Sprint(made); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func TestParseDefaults(t *testing.T) {
	p, err := Parse(description(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Duration("span") != unit.Microsecond || p.Rate("rate") != 40*unit.Mbps || p.Bytes("size") != 10*unit.MB ||
		p.Number("gain") != 0.5 || p.Choice("mode") != "fast" || !p.Switch("on") || p.Rate("open") != 0 ||
		p.Choice("file") != "none" {
		t.Errorf("defaults: %+v", p)
	}
	if p.Given("span") || p.Given("open") {
		t.Error("a default counts as given")
	}
}

func TestParseGiven(t *testing.T) {
	p, err := Parse(description(), map[string]string{"span": "10ns", "gain": "1", "mode": "slow", "on": "false",
		"open": "2Gbps", "file": "w/a b.txt"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Duration("span") != 10*unit.Nanosecond || p.Number("gain") != 1 || p.Choice("mode") != "slow" ||
		p.Switch("on") || p.Rate("open") != 2*unit.Gbps || p.Choice("file") != "w/a b.txt" {
		t.Errorf("given: %+v", p)
	}
	if !p.Given("span") || p.Given("rate") {
		t.Error("Given does not tell what was given")
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ param, value, message string }{
		{"spam", "1us", "parameter spam: demo has no such parameter; it has span, rate, size, gain, mode, on, open, file"},
		{"span", "9ns", "parameter span: 9ns is below 10ns: allowed is 10ns to 1ms"},
		{"span", "2ms", "parameter span: 2ms is above 1ms: allowed is 10ns to 1ms"},
		{"span", "", `parameter span: "" is not a duration`},
		{"span", "1Gbps", `"Gbps" is not a unit of duration`},
		{"rate", "5", "5 has no unit: did you mean 5Mbps?"}, // 5Gbps is above the bound
		{"size", "20", "20 has no unit: did you mean 20KB?"},
		{"open", "0bps", "parameter open: 0bps is below 1bps"},
		{"gain", "1.01", "parameter gain: 1.01 is above 1"},
		{"gain", "NaN", `"NaN" is not a number`},
		{"gain", "Inf", `"Inf" is not a number`},
		{"gain", "half", `"half" is not a number`},
		{"mode", "medium", `parameter mode: "medium" is not one of fast, slow`},
		{"on", "maybe", `parameter on: "maybe" is neither true nor false`},
	} {
		t.Run(fmt.Sprintf("value=%q", c.value), func(t *testing.T) {
			_, err := Parse(description(), map[string]string{c.param: c.value})
			var e *cc.ParamError
			if !errors.As(err, &e) || e.Param != c.param || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%s=%s: %v, want %q", c.param, c.value, err, c.message)
			}
		})
	}
}

// Among several wrong names the first in order is named, independent of the map's order.
func TestParseErrorIsStable(t *testing.T) {
	for range 20 {
		_, err := Parse(description(), map[string]string{"zzz": "1", "aaa": "1", "mmm": "1"})
		if err == nil || !strings.HasPrefix(err.Error(), "parameter aaa:") {
			t.Fatalf("error %v", err)
		}
	}
}

// Written parameters read the same again.
func TestWritten(t *testing.T) {
	given := map[string]string{"span": "10ns", "mode": "slow"}
	p, err := Parse(description(), given)
	if err != nil {
		t.Fatal(err)
	}
	given["span"] = "changed since"
	again, err := Parse(description(), Written(p))
	if err != nil || !reflect.DeepEqual(p, again) || len(Written(p)) != 2 {
		t.Errorf("%v, %+v, again %+v", err, p, again)
	}
}

// A value has one canonical text however it is written, another value another; defaults have
// none.
func TestCanonical(t *testing.T) {
	canonical := func(given map[string]string) map[string]string {
		t.Helper()
		p, err := Parse(description(), given)
		if err != nil {
			t.Fatal(err)
		}
		return p.Canonical()
	}
	want := map[string]string{"span": "10000ps", "rate": "20000000bps", "size": "1000B", "gain": "0.5", "on": "true",
		"mode": "slow", "file": "a b"}
	for _, given := range []map[string]string{
		{"span": "10ns", "rate": "20Mbps", "size": "1KB", "gain": "0.5", "on": "true", "mode": "slow", "file": "a b"},
		{"span": "0.01us", "rate": "0.02Gbps", "size": "1000B", "gain": "0.50", "on": "T", "mode": "slow", "file": "a b"},
		{"span": "10.0ns", "rate": "20.0Mbps", "size": "0.001MB", "gain": "5e-1", "on": "1", "mode": "slow", "file": "a b"},
	} {
		if got := canonical(given); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %v, want %v", given, got, want)
		}
	}
	if got := canonical(map[string]string{"gain": "0.51"}); !reflect.DeepEqual(got, map[string]string{"gain": "0.51"}) {
		t.Errorf("%v", got)
	}
}
