package chance

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// The first outputs of SplitMix64 from state 1234567, a vector that
// implementations of the generator of Steele, Lea and Flood commonly print.
func TestSplitMix64(t *testing.T) {
	x := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
		16408922859458223821} {
		t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
			if got := splitMix(&x); got != want {
				t.Errorf("output %d = %d, want %d", i, got, want)
			}
		})
	}
}

// The first outputs of xoshiro256** from state 1, 2, 3, 4: the first two can
// be worked out by hand, rotl(2 x 5, 7) x 9 = 11520 and, with s1 then 0, 0.
func TestXoshiro256StarStar(t *testing.T) {
	s := Stream{1, 2, 3, 4}
	for i, want := range []uint64{11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600} {
		t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
			if got := s.Uint64(); got != want {
				t.Errorf("output %d = %d, want %d", i, got, want)
			}
		})
	}
}

// reference is xoshiro256** as Blackman and Vigna's C code has it.
func reference(s *[4]uint64) uint64 {
	rotl := func(x uint64, k int) uint64 { return x<<k | x>>(64-k) }
	result := rotl(s[1]*5, 7) * 9
	t := s[1] << 17
	s[2] ^= s[0]
	s[3] ^= s[1]
	s[1] ^= s[2]
	s[0] ^= s[3]
	s[2] ^= t
	s[3] = rotl(s[3], 45)
	return result
}

func TestStreamFollowsTheReference(t *testing.T) {
	s := New(7, "leaf0/1")
	r := [4]uint64{s.s0, s.s1, s.s2, s.s3}
	for i := range 10_000 {
		if got, want := s.Uint64(), reference(&r); got != want {
			t.Fatalf("output %d = %d, want %d", i, got, want)
		}
	}
}

// Seed and name make the stream: the same pair the same one, any other pair
// another, and no order of making them matters.
func TestStreamsAreIndependent(t *testing.T) {
	seen := map[uint64]string{}
	for _, seed := range []uint64{0, 1, 2, math.MaxUint64} {
		t.Run(fmt.Sprintf("seed=%v", seed), func(t *testing.T) {
			for _, name := range []string{"", "a", "b", "ab", "ba", "leaf0/1", "leaf1/0"} {
				v := New(seed, name).Uint64()
				if New(seed, name).Uint64() != v {
					t.Errorf("stream (%d, %q) does not repeat", seed, name)
				}
				if other, ok := seen[v]; ok {
					t.Errorf("stream (%d, %q) begins like the stream of %s", seed, name, other)
				}
				seen[v] = name
			}
		})
	}
	s := New(3, "x")
	first := s.Uint64()
	s.Seed(3, "x")
	if s.Uint64() != first {
		t.Error("Seed does not restart the stream")
	}
}

func TestRanges(t *testing.T) {
	s := New(1, "ranges")
	var lo, hi bool
	for range 100_000 {
		if f := s.Float64(); f < 0 || f >= 1 {
			t.Fatalf("Float64 = %v", f)
		}
		v := s.Between(-3, 4)
		if v < -3 || v > 4 {
			t.Fatalf("Between(-3, 4) = %d", v)
		}
		lo, hi = lo || v == -3, hi || v == 4
	}
	if !lo || !hi {
		t.Error("Between never reached one of its bounds")
	}
	if s.Below(1) != 0 || s.Between(9, 9) != 9 {
		t.Error("a range of one has one member")
	}
	s.Between(math.MinInt64, math.MaxInt64-1) // wide ranges do not overflow
}

// Moments over 200 000 draws: mean within 4 standard errors of 0, variance
// within 1 % of 1; 0.19 % of them beyond 3 sigma (0.27 % for a Gaussian).
func TestNormal(t *testing.T) {
	s := New(5, "normal")
	const n = 200_000
	sum, squares, beyond := 0.0, 0.0, 0
	for range n {
		v := s.Normal()
		if v < -6 || v > 6 {
			t.Fatalf("Normal = %v", v)
		}
		sum += v
		squares += float64(v * v)
		if math.Abs(v) > 3 {
			beyond++
		}
	}
	if mean := sum / n; math.Abs(mean) > 4/math.Sqrt(n) {
		t.Errorf("mean %v", mean)
	}
	if variance := squares / n; math.Abs(variance-1) > 0.01 {
		t.Errorf("variance %v", variance)
	}
	if share := float64(beyond) / n; math.Abs(share-0.0019) > 0.0004 {
		t.Errorf("%v beyond 3 sigma", share)
	}
}

// Each of the 24 orders of four elements comes up about equally often.
func TestShuffle(t *testing.T) {
	s := New(9, "shuffle")
	counts := map[[4]int]int{}
	const n = 24_000
	for range n {
		a := [4]int{0, 1, 2, 3}
		s.Shuffle(4, func(i, j int) { a[i], a[j] = a[j], a[i] })
		counts[a]++
		b := a
		slices.Sort(b[:])
		if b != [4]int{0, 1, 2, 3} {
			t.Fatalf("%v is no permutation", a)
		}
	}
	if len(counts) != 24 {
		t.Errorf("%d orders of 24", len(counts))
	}
	for order, k := range counts {
		t.Run(fmt.Sprintf("%v", order), func(t *testing.T) {
			if k < 850 || k > 1150 { // 1000 +- 4.8 sigma
				t.Errorf("%v came up %d times in %d", order, k, n)
			}
		})
	}
}

// A stream that is resumed from another's state gives what the other would
// have given.
func TestResume(t *testing.T) {
	s := New(1, "flow")
	for range 10 {
		s.Uint64()
	}
	r := Resume(s.State())
	for i := range 100 {
		if a, b := s.Uint64(), r.Uint64(); a != b {
			t.Fatalf("number %d: %x resumed, %x gone on", i, b, a)
		}
	}
}
