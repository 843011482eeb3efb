package unit

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	duration := func(s string) (int64, error) { v, err := ParseDuration(s); return int64(v), err }
	rate := func(s string) (int64, error) { v, err := ParseBitRate(s); return int64(v), err }
	size := func(s string) (int64, error) { v, err := ParseBytes(s); return int64(v), err }
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
		{duration, "1e999999999s", 0, "not a duration"},
		{duration, "5", 0, "without a unit"},
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
		{size, "64", 64, ""},
		{size, "32MB", 32e6, ""},
		{size, "1.5KiB", 1536, ""},
		{size, "1GiB", 1 << 30, ""},
		{size, "1.5", 1, ""},
		{size, "1mb", 0, "not a unit of size"},
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
			{"1e99999999ps", "is not a duration"},
			{"1e-99999999ps", "is not a duration"},
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

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1us", "1e3ns", "0x10ps", "1/2s", "+.5ms", "1e+", "1_000us", "∞s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, err := ParseDuration(s); err == nil && d < 0 {
			t.Errorf("%q = %d", s, d)
		}
		if r, err := ParseBitRate(s); err == nil && r < 0 {
			t.Errorf("%q = %d", s, r)
		}
		if b, err := ParseBytes(s); err == nil && b < 0 {
			t.Errorf("%q = %d", s, b)
		}
	})
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
		if got := c.rate.SerialTime(c.bytes); got != c.want {
			t.Errorf("%v x %v = %d ps, want %d", c.bytes, c.rate, got, c.want)
		}
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
		if got := c.rate.BytesIn(c.span); got != c.want {
			t.Errorf("%v x %v = %d, want %d", c.rate, c.span, got, c.want)
		}
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
		if got := RateOf(c.bytes, c.span); got != c.want {
			t.Errorf("%v in %v = %d, want %d", c.bytes, c.span, got, c.want)
		}
	}
}

// Timestamps on the wire are floored, negative ones away from zero.
func TestNanoseconds(t *testing.T) {
	for _, c := range []struct {
		d    Duration
		want int64
	}{{0, 0}, {999, 0}, {1000, 1}, {-1, -1}, {-1000, -1}, {-1001, -2}, {2_175_680, 2175}} {
		if got := c.d.Nanoseconds(); got != c.want {
			t.Errorf("%d ps = %d ns, want %d", c.d, got, c.want)
		}
		if got := Time(c.d).Nanoseconds(); got != c.want {
			t.Errorf("instant %d ps = %d ns, want %d", c.d, got, c.want)
		}
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
