package wire

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A CNP with a rate is 01, three zeros, the rate in Mb/s, and eight zeros; all but these 16 bytes and
// the ICRC is the CNP without.
func TestCNPRate(t *testing.T) {
	plain := vectors[3].frame
	if rate, carried := plain.CNPRate(); carried || rate != 0 {
		t.Errorf("a CNP of zeros carries %v, %v", rate, carried)
	}
	spare := &Rare{Reserved: [16]byte{3: 9, 15: 9}, DstPort: NotificationPort, Payload: payload8, Unpadded: true}
	for _, c := range []struct {
		rate, want unit.BitRate
		bytes      []byte
	}{
		{8300 * unit.Mbps, 8300 * unit.Mbps, []byte{0, 0, 0x20, 0x6C}},
		{8300*unit.Mbps + 999_999, 8300 * unit.Mbps, []byte{0, 0, 0x20, 0x6C}},
		{1, unit.Mbps, []byte{0, 0, 0, 1}},
		{0, unit.Mbps, []byte{0, 0, 0, 1}},
		{-5 * unit.Gbps, unit.Mbps, []byte{0, 0, 0, 1}},
		{1 << 62, (1<<32 - 1) * unit.Mbps, []byte{255, 255, 255, 255}},
	} {
		t.Run(fmt.Sprintf("rate=%v", c.rate), func(t *testing.T) {
			for _, rare := range []*Rare{nil, spare} {
				f := plain
				f.SetCNPRate(c.rate, rare)
				before, after := plain.AppendTo(nil), f.AppendTo(nil)
				const reserved = ethernetLen + ipv4Len + udpLen + bthLen
				want := append(append([]byte{1, 0, 0, 0}, c.bytes...), make([]byte, 8)...)
				if !bytes.Equal(after[:reserved], before[:reserved]) || !bytes.Equal(after[reserved:reserved+cnpLen], want) ||
					len(after) != len(before) {
					t.Errorf("%v: %x", c.rate, after)
				}
				var got Frame
				if err := Decode(after, &got); err != nil {
					t.Fatal(err)
				}
				rate, carried := got.CNPRate()
				if rate != c.want || !carried || got.CNPRTT() != 0 {
					t.Errorf("%v comes back as %v, %v, with an RTT of %v", c.rate, rate, carried, got.CNPRTT())
				}
				if got.Digest() == plain.Digest() {
					t.Errorf("%v: the digest is that of a CNP without", c.rate)
				}
			}
		})
	}
}

// What a CNP holds is one of the two, by its first byte; what that does not know is neither.
func TestCNPKinds(t *testing.T) {
	for first := range 256 {
		f := Frame{EtherType: EtherTypeIPv4, Opcode: CNP, Rare: &Rare{Reserved: [16]byte{0: byte(first), 7: 5}}}
		rate, carried := f.CNPRate()
		if carried != (first == 1) || carried && rate != 5*unit.Mbps || (f.CNPRTT() != 0) != (first == 0) {
			t.Errorf("first byte %d: a rate of %v, %v, an RTT of %v", first, rate, carried, f.CNPRTT())
		}
	}
	f := Frame{EtherType: EtherTypeIPv4, Opcode: CNP}
	f.SetCNPRTT(1<<24-1, nil)
	if f.CNPRTT() != (1<<24-1)*unit.Nanosecond || f.Rare.Reserved != [16]byte{5: 255, 6: 255, 7: 255} {
		t.Errorf("an RTT of %v in %x", f.CNPRTT(), f.Rare.Reserved)
	}
}
