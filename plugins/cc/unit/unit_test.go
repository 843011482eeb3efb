package unit

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	duration := func(s string) (int64, error) { v, err := ParseDuration(s); return int64(v), err }
	rate := func(s string) (int64, error) { v, err := ParseBitRate(s); return int64(v), err }
	size := func(s string) (int64, error) { v, err := ParseBytes(s); return int64(v), err }
	bdps := func(s string) (int64, error) { v, err := ParseBDP(s); return int64(v), err }
	for _, c := range []struct {
		parse func(string) (int64, error)
		text  string
		want  int64
		err   string
	}{
		{duration, "1us", 1_000_000, ""},
		{duration, " 1.5 ms ", 1_500_000_000, ""},
		{duration, "0.1ps", 0, ""}, // rounded down
		{duration, "2.9999ps", 2, ""},
		{duration, "1e3ns", 1_000_000, ""},
		{duration, "0", 0, ""},
		{duration, "0s", 0, ""},
		{duration, "3µs", 3_000_000, ""},
		{duration, "0.1s", 100_000_000_000, ""}, // exact: 0.1 is no binary fraction
		{duration, "9223372036854775807ps", math.MaxInt64, ""},
		{duration, "9223372036854775808ps", 0, "larger than a duration can be"},
		{duration, "1e999999999s", 0, "larger than a duration"},
		{duration, "5", 0, "5 has no unit: did you mean 5us? allowed are ps, ns, us, ms or s"},
		{duration, "20000", 0, "20000 has no unit: did you mean 20000ns?"},
		{duration, "3μs", 3_000_000, ""}, // the Greek letter, as keyboards have it
		{duration, "-1us", 0, "negative"},
		{duration, "us", 0, "not a duration"},
		{duration, "1 hour", 0, `"hour" is not a unit of duration: allowed are ps, ns, us, ms or s`},
		{duration, "", 0, "not a duration"},
		{duration, "1..5us", 0, "not a duration"},
		{rate, "100Gbps", 100e9, ""},
		{rate, "25 Gb/s", 25e9, ""},
		{rate, "2.5Gbps", 25e8, ""},
		{rate, "1bps", 1, ""},
		{rate, "100GBps", 0, "not a unit of rate"},
		{rate, "400G", 400e9, ""},
		{rate, "1.6T", 1600e9, ""},
		{rate, "400Gb/s", 400e9, ""},
		{rate, "10kbps", 10e3, ""},
		{rate, "0", 0, ""},
		{rate, "100", 0, "100 has no unit: did you mean 100Gbps? allowed are bps, Kbps, Mbps, Gbps or Tbps"},
		{rate, "25000", 0, "did you mean 25000Mbps?"},
		{rate, "100000000000", 0, "did you mean 100000000000bps?"},
		{rate, "100gbit", 0, `"gbit" is not a unit of rate: did you mean 100Gbps?`},
		{rate, "100 Gbit/s", 0, "did you mean 100Gbps?"},
		{rate, "100GB/s", 0, `"GB/s" is not a unit of rate: allowed are bps`}, // eight times as much
		{rate, "1Gi", 0, "not a unit of rate"},
		{size, "20", 0, "20 has no unit: did you mean 20KB? allowed are B, KB, MB, GB, TB, KiB, MiB, GiB or TiB"},
		{size, "1000", 0, "did you mean 1000B?"},
		{size, "1e99", 0, "1e99 has no unit: allowed are B"},
		{size, "0", 0, ""},
		{size, "0.0", 0, ""},
		{size, "64B", 64, ""},
		{size, "100K", 100e3, ""},
		{size, "100k", 100e3, ""},
		{size, "1M", 1e6, ""},
		{size, "2G", 2e9, ""},
		{size, "1T", 1e12, ""},
		{size, "1Mi", 1 << 20, ""},
		{size, "4TiB", 4 << 40, ""},
		{size, "20 kbytes", 0, "not a unit of size"},
		{size, "20 kbyte", 0, "did you mean 20KB?"},
		{size, "-3KB", 0, `"-3KB" is negative`},
		{size, "32MB", 32e6, ""},
		{size, "1.5KiB", 1536, ""},
		{size, "1GiB", 1 << 30, ""},
		{size, "1.5B", 1, ""},
		{size, "1mb", 0, "not a unit of size"},
		{bdps, "1.5bdp", 1500000, ""},
		{bdps, "0.75 BDP", 750000, ""},
		{bdps, "0", 0, ""},
		{bdps, "-1bdp", 0, `"-1bdp" is negative`},
		{bdps, "2", 0, "2 has no unit: did you mean 2bdp? allowed are bdp"},
		{bdps, "2KB", 0, `"KB" is not a unit of number of bdp: allowed are bdp`},
	} {
		got, err := c.parse(c.text)
		if c.err == "" && (err != nil || got != c.want) || c.err != "" &&
			(err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%q = %d, %v; want %d, %q", c.text, got, err, c.want, c.err)
		}
	}
}

// An exponent too large to write out is an error, not a wait; of zero it is
// zero.
func TestParseHugeExponent(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		for _, c := range []struct{ text, err string }{
			{"1e99999999ps", "is larger than a duration can be, or smaller"},
			{"1e-99999999ps", "is larger than a duration can be, or smaller"},
			{"0e99999999s", ""},
		} {
			d, err := ParseDuration(c.text)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || d != 0 {
				t.Errorf("%q = %v, %v; want error %q", c.text, d, err, c.err)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("still reading after a minute")
	}
}

// A guess at the unit is within what the place allows.
func TestMeantWithin(t *testing.T) {
	for _, c := range []struct {
		text   string
		lo, hi Bytes
		want   string
	}{
		{"512", 64, 4096, "did you mean 512B?"},
		{"512", 0, GB, "did you mean 512KB?"},
		{"20", MB, GB, "did you mean 20MB?"},
		{"20", 1, 2, "20 has no unit: allowed are"},
		{"20X", 0, GB, `"X" is not a unit of size`},
	} {
		t.Run(fmt.Sprintf("text=%v,lo=%v", c.text, c.lo), func(t *testing.T) {
			_, err := ParseBytes(c.text)
			if err = MeantWithin(err, int64(c.lo), int64(c.hi)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q from %v to %v: %v, want %q", c.text, c.lo, c.hi, err, c.want)
			}
		})
	}
	if err := MeantWithin(nil, 0, 1); err != nil {
		t.Error(err)
	}
}

// No unit has two sizes, and what a value prints as is read again.
func TestNotations(t *testing.T) {
	for _, n := range []*Notation{Durations, Lengths, Sizes, Rates} {
		seen := map[string]bool{}
		for _, u := range n.units {
			for _, name := range u.names {
				if v, err := n.parse("3" + name); err != nil || v != 3*u.size || seen[name] {
					t.Errorf("%s: 3%s = %d, %v; twice: %v", n.what, name, v, err, seen[name])
				}
				seen[name] = true
			}
		}
		if _, err := n.parse(n.Example()); err != nil {
			t.Error(err)
		}
		if _, err := n.parse("3" + strings.Join(n.Units(), "")); err == nil {
			t.Errorf("%s: all units at once are one", n.what)
		}
	}
}

// A value is read exactly if the pattern of its notation has it and it is in
// the range of an int64; what a value prints as is read again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1us", "1e3ns", "0x10ps", "1/2s", "+.5ms", "1e+", "1_000us", "∞s", "20", "0", "+0.0",
		"400G", "100 K", "1.5Mi", "25Gb/s", "3 μs", "-1KB", "120km", "1e30TB",
		"1e1000100B", "1e-1000100s"} {
		f.Add(s)
	}
	patterns := map[*Notation]*regexp.Regexp{}
	for _, n := range []*Notation{Durations, Lengths, Sizes, Rates} {
		patterns[n] = regexp.MustCompile(n.Pattern())
	}
	f.Fuzz(func(t *testing.T, s string) {
		for n, pattern := range patterns {
			v, err := n.parse(s)
			switch {
			case err == nil && (v < 0 || !pattern.MatchString(s)):
				t.Errorf("%q = %d as a %s", s, v, n.what)
			case err == nil && v != 0 && bareNumber.MatchString(s):
				t.Errorf("%q = %d as a %s, without a unit", s, v, n.what)
			case err != nil && pattern.MatchString(s) && !strings.Contains(err.Error(), "larger than") && len(s) < 12:
				t.Errorf("%q has the pattern of a %s, but %v", s, n.what, err)
			}
		}
		if r, err := ParseBitRate(s); err == nil {
			again, err := ParseBitRate(r.String())
			if off := float64(again-r) / float64(max(r, 1)); err != nil || off > 1e-3 || off < -1e-3 {
				t.Errorf("%q prints as %v, which is %v, %v", s, r, again, err)
			}
		}
	})
}

// An instant that would be later than a Time can be is Never, and does not wrap.
func TestAddSaturates(t *testing.T) {
	for _, c := range []struct {
		from Time
		add  Duration
		want Time
	}{
		{5, 7, 12}, {5, -3, 2}, {5, -7, -2}, {0, math.MaxInt64, Never}, {1, math.MaxInt64, Never},
		{Never - 1, 1, Never}, {Never, Second, Never}, {Never, 0, Never}, {Never, -Duration(Never), 0},
	} {
		t.Run(fmt.Sprintf("from=%v,add=%v", c.from, c.add), func(t *testing.T) {
			if got := c.from.Add(c.add); got != c.want {
				t.Errorf("%d + %d = %d, want %d", int64(c.from), int64(c.add), int64(got), int64(c.want))
			}
		})
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{(12800 * Nanosecond).String(), "12.8us"}, {(4190 * Nanosecond).String(), "4.19us"},
		{(335500 * Nanosecond).String(), "335.5us"},
		{(80 * Picosecond).String(), "80ps"}, {Duration(0).String(), "0s"}, {(-2 * Millisecond).String(), "-2ms"},
		{Time(Second).String(), "1s"},
		{Never.String(), "never"}, {(100 * Gbps).String(), "100Gbps"}, {(2500 * Mbps).String(), "2.5Gbps"},
		{(20 * Mbps).String(), "20Mbps"},
		{BitRate(7).String(), "7bps"}, {(2 * Tbps).String(), "2Tbps"}, {Bytes(64).String(), "64B"},
		{(400 * KB).String(), "400KB"}, {Bytes(1_500_000).String(), "1.5MB"},
		{Bytes(-2000).String(), "-2KB"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

// One byte at 100, 200, 400 and 800 Gb/s is 80, 40, 20 and 10 ps.
func TestSerialTime(t *testing.T) {
	for _, c := range []struct {
		rate  BitRate
		bytes Bytes
		want  Duration
	}{
		{100 * Gbps, 1, 80}, {200 * Gbps, 1, 40}, {400 * Gbps, 1, 20}, {800 * Gbps, 1, 10}, {1600 * Gbps, 1, 5},
		{25 * Gbps, 1, 320},
		{100 * Gbps, 1098, 87_840}, // the packet of 1000 B payload: 87.84 ns
		{3 * Gbps, 1, 2667},        // 2666.67 rounded up: no wire is faster than its rate
		{100 * Gbps, 1 << 20, 80 << 20},
		{100 * Gbps, 1<<20 - 1, 80<<20 - 80},
		{100 * Gbps, 100 * GB, 8 * Second}, // the product, 8e23, leaves 64 bits
		{1, 0, 0},
		{1, 2 * MB, Duration(math.MaxInt64)}, // 185 days saturate
	} {
		t.Run(fmt.Sprintf("rate=%v,bytes=%v", c.rate, c.bytes), func(t *testing.T) {
			if got := c.rate.SerialTime(c.bytes); got != c.want {
				t.Errorf("%v x %v = %d ps, want %d", c.bytes, c.rate, got, c.want)
			}
		})
	}
}

func TestBDP(t *testing.T) {
	for _, c := range []struct {
		rate BitRate
		span Duration
		want Bytes
	}{
		{100 * Gbps, 4 * Microsecond, 50_000}, {100 * Gbps, 4190 * Nanosecond, 52_375}, {100 * Gbps, 79, 0},
		{100 * Gbps, 80, 1},
		{100 * Gbps, 1200 * Microsecond, 15 * MB}, {800 * Gbps, 8 * Second, 800 * GB},
		{BitRate(math.MaxInt64), Duration(math.MaxInt64), math.MaxInt64},
	} {
		t.Run(c.span.String(), func(t *testing.T) {
			if got := c.rate.BytesIn(c.span); got != c.want {
				t.Errorf("%v x %v = %d, want %d", c.rate, c.span, got, c.want)
			}
		})
	}
}

func TestRateOf(t *testing.T) {
	for _, c := range []struct {
		bytes Bytes
		span  Duration
		want  BitRate
	}{
		{50_000, 4 * Microsecond, 100 * Gbps}, {100 * GB, 8 * Second, 100 * Gbps}, {1, 3, 2_666_666_666_666},
		{1, 0, 0}, {1, -5, 0},
	} {
		t.Run(c.span.String(), func(t *testing.T) {
			if got := RateOf(c.bytes, c.span); got != c.want {
				t.Errorf("%v in %v = %d, want %d", c.bytes, c.span, got, c.want)
			}
		})
	}
}

// Timestamps on the wire are floored, negative ones away from zero.
func TestNanoseconds(t *testing.T) {
	for _, c := range []struct {
		d    Duration
		want int64
	}{{0, 0}, {999, 0}, {1000, 1}, {-1, -1}, {-1000, -1}, {-1001, -2}, {2_175_680, 2175}} {
		t.Run(c.d.String(), func(t *testing.T) {
			if got := c.d.Nanoseconds(); got != c.want {
				t.Errorf("%d ps = %d ns, want %d", c.d, got, c.want)
			}
			if got := Time(c.d).Nanoseconds(); got != c.want {
				t.Errorf("instant %d ps = %d ns, want %d", c.d, got, c.want)
			}
		})
	}
}

// mulDiv and mulDivCeil against arbitrary precision, saturation included.
func FuzzMulDiv(f *testing.F) {
	f.Add(int64(1_150_000), int64(8e12), int64(100e9))
	f.Add(int64(-7), int64(3), int64(2))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), int64(1))
	f.Add(int64(math.MinInt64), int64(1), int64(1))
	f.Add(int64(math.MaxInt64), int64(2), int64(1))
	f.Fuzz(func(t *testing.T, a, b, c int64) {
		if b < 0 || c <= 0 {
			t.Skip()
		}
		product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		floor, rest := new(big.Int).DivMod(product, big.NewInt(c), new(big.Int)) // Euclidean: floor, as c > 0
		if got, want := mulDiv(a, b, c), saturate(floor); got != want {
			t.Errorf("mulDiv(%d, %d, %d) = %d, want %d", a, b, c, got, want)
		}
		if a < 0 {
			return
		}
		if rest.Sign() != 0 {
			floor.Add(floor, big.NewInt(1))
		}
		if got, want := mulDivCeil(a, b, c), saturate(floor); got != want {
			t.Errorf("mulDivCeil(%d, %d, %d) = %d, want %d", a, b, c, got, want)
		}
	})
}

// saturate keeps to what mulDiv documents: the least result is -MaxInt64.
func saturate(v *big.Int) int64 {
	limit := big.NewInt(math.MaxInt64)
	if v.CmpAbs(limit) > 0 {
		return math.MaxInt64 * int64(v.Sign())
	}
	return v.Int64()
}

// A value beyond an int64 becomes the greatest or the least one, whatever the processor does.
func TestWhole(t *testing.T) {
	for x, want := range map[float64]int64{
		0: 0, 1.9: 1, -1.9: -1, 1e18: 1e18, math.Copysign(0, -1): 0, 5e-324: 0,
		1 << 62:                       1 << 62,
		math.Nextafter(1<<63, 0):      1<<63 - 1024,
		1 << 63:                       math.MaxInt64,
		-1 << 63:                      math.MinInt64,
		math.Nextafter(-1<<63, -1e99): math.MinInt64,
		1e300:                         math.MaxInt64,
		-1e300:                        math.MinInt64,
		math.Inf(1):                   math.MaxInt64,
		math.Inf(-1):                  math.MinInt64,
		math.NaN():                    math.MinInt64,
	} {
		if got := Whole[int64](x); got != want {
			t.Errorf("Whole(%g) is %d, want %d", x, got, want)
		}
		if got := Whole[Duration](x); got != Duration(want) {
			t.Errorf("Whole(%g) is %d, want %d", x, got, want)
		}
	}
}

// 1.5 BDP at 400 Gb/s and 5 us, the example of the ECN article: 375 KB.
func TestNumberOfBDP(t *testing.T) {
	for _, c := range []struct {
		bdp  BDP
		rate BitRate
		rtt  Duration
		want Bytes
	}{
		{1_500_000, 400 * Gbps, 5 * Microsecond, 375 * KB},
		{1_000_000, 100 * Gbps, 4 * Microsecond, 50 * KB},
		{1, 100 * Gbps, 4 * Microsecond, 0}, // rounded down
		{0, 100 * Gbps, 4 * Microsecond, 0},
	} {
		t.Run(c.bdp.String(), func(t *testing.T) {
			if got := c.bdp.Bytes(c.rate, c.rtt); got != c.want {
				t.Errorf("%v at %v and %v = %v, want %v", c.bdp, c.rate, c.rtt, got, c.want)
			}
		})
	}
	if got := BDP(750_000).String(); got != "0.75bdp" {
		t.Errorf("0.75 bdp is %s", got)
	}
}
