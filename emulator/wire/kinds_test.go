package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/inband"
)

// The bytes of every kind on the wire: they are in captures and decide the
// results of runs, so none may change.
func TestBytesOfKinds(t *testing.T) {
	for number, want := range map[ExtType]string{
		ExtOneWayData:   "01040700 0102030405060708 11121314",
		ExtOneWayAck:    "02050700 11121314 21222324 0102030405060708",
		ExtINT:          "03040700 02013132 4142434445464748",
		ExtINTEcho:      "04040700 02013132 4142434445464748",
		ExtTimestamp:    "05040700 0102030405060708 11121314",
		ExtTimestampAck: "06050700 0102030405060708 11121314 21222324",
		ExtECNEcho:      "07010700",
		ExtOwn:          "08020700 51525354",
		ExtSelective:    "09040700 11121314 0102030405060708",
	} {
		t.Run(fmt.Sprintf("number=%v", number), func(t *testing.T) {
			f := Frame{
				ExtFlags: 7,
				ExtTime:  0x0102030405060708,
				ExtA:     0x11121314,
				ExtB:     0x21222324,
				Rare: &Rare{
					INT:    inband.Stack{Hops: 2, Max: 1, Path: 0x3132, Record: [5]inband.Record{0x4142434445464748}},
					OwnLen: 4,
					Own:    [32]byte{0x51, 0x52, 0x53, 0x54},
				},
			}
			f.SetExtension(number)
			b := make([]byte, MaxFrameLen)
			if got := fmt.Sprintf("%x", b[:f.putExtension(b)]); got != strings.ReplaceAll(want, " ", "") {
				t.Errorf("kind %d is %s, want %s", number, got, want)
			}
		})
	}
	for _, c := range []struct {
		number      ExtType
		least, most int
	}{{ExtOneWayData, 16, 16}, {ExtINT, 8, 48}, {ExtECNEcho, 4, 4}, {ExtOwn, 4, 36}} {
		t.Run(fmt.Sprintf("number=%v", c.number), func(t *testing.T) {
			if least, most := c.number.Kind().Bounds(); least != c.least || most != c.most {
				t.Errorf("kind %d has %d to %d bytes, want %d to %d", c.number, least, most, c.least, c.most)
			}
		})
	}
}

// The rules of the table of kinds: a name of its own for each, numbers without gaps, words that fit, and words of
// variable length last.
func TestKindsAreSound(t *testing.T) {
	names := map[string]bool{}
	for i, number := range Kinds() {
		kind := number.Kind()
		if int(number) != i+1 {
			t.Errorf("kind %q has number %d, the next free one is %d", kind.Name, number, i+1)
		}
		if names[kind.Name] {
			t.Errorf("two kinds are called %q", kind.Name)
		}
		names[kind.Name] = true
		seen := map[Word]bool{}
		for j, w := range kind.Words {
			if seen[w] {
				t.Errorf("kind %q has word %d twice", kind.Name, w)
			}
			seen[w] = true
			if (w == WordINT || w == WordOwn) && j < len(kind.Words)-1 {
				t.Errorf("kind %q has words after one of variable length", kind.Name)
			}
		}
		if least, most := kind.Bounds(); least%4 != 0 || most > maxExtension {
			t.Errorf("kind %q has %d to %d bytes, allowed are up to %d, a multiple of 4", kind.Name, least, most, maxExtension)
		}
	}
	if number := ExtType(ExtMask); number.Known() {
		t.Skip("all numbers are taken")
	} else if f := (Frame{AckExt: uint8(number)}); f.extLen() != 0 {
		t.Errorf("an unknown kind has %d bytes", f.extLen())
	}
}
