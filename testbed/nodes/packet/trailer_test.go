package packet

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func TestTrailerBytes(t *testing.T) {
	tr := Trailer{Run: 0x01020304, Sequence: 0x1112131415161718, Start: 0x2122232425262728}
	b := bytes.Repeat([]byte{0xff}, TrailerLen+1)
	tr.Put(b)
	const want = "524c6162" + "01020304" + "1112131415161718" + "2122232425262728" + "00000000" + "ff"
	if got := hex.EncodeToString(b); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCutGivesBackWhatPutWrote(t *testing.T) {
	for _, tr := range []Trailer{{}, {Run: 1<<32 - 1, Sequence: 1<<64 - 1, Start: unit.Never},
		{Run: 3, Sequence: 9, Start: 80}} {
		for _, size := range []int{0, 60, 4300} {
			b := make([]byte, size+TrailerLen)
			fill(b[:size], 5)
			tr.Put(b[size:])
			frame, got, ok := Cut(b)
			if !ok || got != tr || len(frame) != size || cap(frame) != size || !bytes.Equal(frame, b[:size]) {
				t.Errorf("%+v behind %d bytes: got %+v, %d bytes, ok %v", tr, size, got, len(frame), ok)
			}
		}
	}
}

func TestCutRefuses(t *testing.T) {
	b := make([]byte, 60+TrailerLen)
	tr := Trailer{Run: 1, Sequence: 2, Start: 3}
	tr.Put(b[60:])
	for n := range len(b) {
		if frame, got, ok := Cut(b[:n]); ok || got != (Trailer{}) || len(frame) != n {
			t.Errorf("the first %d of %d bytes: %d bytes, %+v, ok %v", n, len(b), len(frame), got, ok)
		}
	}
	for _, at := range []int{0, 3, 16, 24, 27} { // magic, sign of the time, zeros
		bad := bytes.Clone(b)
		bad[60+at] ^= 0x80
		if _, _, ok := Cut(bad); ok {
			t.Errorf("byte %d of the trailer changed: still ours", at)
		}
	}
}

// Bytes that end in a trailer are cut where they were put together, and nothing else is cut.
func FuzzTrailer(f *testing.F) {
	whole := make([]byte, 60+TrailerLen)
	(&Trailer{Run: 7, Sequence: 9, Start: 11}).Put(whole[60:])
	f.Add([]byte{})
	f.Add(whole)
	f.Add(whole[1:])
	f.Add(whole[:len(whole)-1])
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, trailer, ok := Cut(b)
		if !ok {
			if len(frame) != len(b) || trailer != (Trailer{}) {
				t.Errorf("%d B of %d, %+v of a foreign frame", len(frame), len(b), trailer)
			}
			return
		}
		if trailer.Start < 0 || len(frame) != len(b)-TrailerLen || cap(frame) != len(frame) {
			t.Fatalf("%d B of %d with %+v", len(frame), len(b), trailer)
		}
		again := append(bytes.Clone(frame), make([]byte, TrailerLen)...)
		trailer.Put(again[len(frame):])
		if !bytes.Equal(again, b) {
			t.Errorf("%x, put together again %x", b, again)
		}
	})
}
