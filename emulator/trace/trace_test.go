package trace

import (
	"hash/fnv"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

type rec struct {
	kind   Kind
	at     unit.Time
	port   int
	digest uint64
}

func fold(records ...rec) Hash {
	var h Hash
	for _, r := range records {
		h.Fold(r.kind, r.at, r.port, r.digest)
	}
	return h
}

// Any difference in one field of one record, and any exchange of two records,
// shows in the hash.
func TestFoldTellsRecordsApart(t *testing.T) {
	a, b := rec{Sent, 1000, 1, 42}, rec{Sent, 1080, 1, 43}
	seen := map[Hash]string{}
	for name, h := range map[string]Hash{
		"none": fold(), "a": fold(a), "ab": fold(a, b), "ba": fold(b, a), "aa": fold(a, a),
		"kind": fold(rec{Dropped, 1000, 1, 42}, b), "a picosecond": fold(rec{Sent, 1001, 1, 42}, b),
		"port": fold(rec{Sent, 1000, 2, 42}, b), "digest": fold(rec{Sent, 1000, 1, 43}, b),
		"second digest": fold(a, rec{Sent, 1080, 1, 44}), "times exchanged": fold(rec{Sent, 1080, 1, 42},
			rec{Sent, 1000, 1, 43}),
	} {
		t.Run(name, func(t *testing.T) {
			if other, ok := seen[h]; ok {
				t.Errorf("%q and %q have one hash", name, other)
			}
			seen[h] = name
		})
	}
	if again := fold(a, b); seen[again] != "ab" {
		t.Error("the hash does not repeat")
	}
}

// A difference early in a long run is not forgotten: no fold loses state.
func TestFoldKeepsEarlyDifferences(t *testing.T) {
	x, y := fold(rec{Sent, 1, 0, 0}), fold(rec{Sent, 2, 0, 0})
	for i := range 100_000 {
		x.Fold(Sent, unit.Time(i), 0, uint64(i))
		y.Fold(Sent, unit.Time(i), 0, uint64(i))
		if x == y {
			t.Fatalf("equal after %d further records", i+1)
		}
	}
}

func TestSum(t *testing.T) {
	names := []string{"h0", "h1"}
	base := Sum(names, []Hash{1, 2})
	for what, v := range map[string]uint64{
		"hashes exchanged": Sum(names, []Hash{2, 1}), "another name": Sum([]string{"h0", "h2"}, []Hash{1, 2}),
		"another hash": Sum(names, []Hash{1, 1 << 63}), "one node less": Sum(names[:1], []Hash{1}),
	} {
		t.Run(what, func(t *testing.T) {
			if v == base {
				t.Errorf("%s: the same sum", what)
			}
		})
	}
	sum := fnv.New64a()
	sum.Write([]byte("h0\x01\x00\x00\x00\x00\x00\x00\x00h1\x02\x03\x00\x00\x00\x00\x00\x80"))
	if got := Sum(names, []Hash{1, 1<<63 + 0x302}); got != sum.Sum64() {
		t.Errorf("%016x is not FNV-1a, %016x", got, sum.Sum64())
	}
	if Sum(nil, nil) != 0xcbf29ce484222325 {
		t.Error("the sum of no node is not FNV-1a's offset basis")
	}
}
