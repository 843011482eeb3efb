package wire

import "github.com/rocelab/rocelab/plugins/cc/unit"

// The 16 reserved bytes of a CNP (IBA volume 1, annex A17.9.3) are zero, as in CNPs of NICs on the market, unless
// rocelab is configured otherwise. Then byte 0 selects one of two uses of bytes 4 to 7, most significant first; all
// others stay zero:
//
//	0  the RTT in ns that the marked packet carried, 0 for none
//	1  the rate in Mb/s that a switch allows the flow
//
// A NIC that knows neither takes either as any CNP.
const (
	cnpKind      = 0
	cnpValue     = 4
	kindRTT      = 0
	kindRate     = 1
	cnpRateUnits = unit.Mbps
)

// SetCNPRate makes the CNP f carry a rate, rounded down to whole Mb/s. Range: 1 Mb/s to 4294967295 Mb/s; rates beyond
// are clamped. spare is a Rare that is free for reuse, nil for none.
func (f *Frame) SetCNPRate(rate unit.BitRate, spare *Rare) {
	f.setReserved(kindRate, uint32(min(max(rate/cnpRateUnits, 1), 1<<32-1)), spare)
}

// CNPRate returns the rate that the CNP f carries, and whether it carries one. A rate of 0 Mb/s, which cannot be meant,
// is read as 1 Mb/s.
func (f *Frame) CNPRate() (rate unit.BitRate, carried bool) {
	if f.Rare == nil || f.Rare.Reserved[cnpKind] != kindRate {
		return 0, false
	}
	return max(unit.BitRate(be.Uint32(f.Rare.Reserved[cnpValue:])), 1) * cnpRateUnits, true
}

// SetCNPRTT has the CNP f carry an RTT in ns; spare is as for SetCNPRate.
func (f *Frame) SetCNPRTT(ns uint32, spare *Rare) { f.setReserved(kindRTT, ns, spare) }

// CNPRTT returns the RTT that the CNP f carries, 0 for none.
func (f *Frame) CNPRTT() unit.Duration {
	if f.Rare == nil || f.Rare.Reserved[cnpKind] != kindRTT {
		return 0
	}
	return unit.Duration(be.Uint32(f.Rare.Reserved[cnpValue:])) * unit.Nanosecond
}

// setReserved fills the reserved bytes, and gives f the rare parts that they need.
func (f *Frame) setReserved(kind uint8, value uint32, spare *Rare) {
	if spare == nil {
		spare = new(Rare)
	}
	spare.Reserved, spare.Payload, spare.Unpadded, spare.DstPort = [cnpLen]byte{}, nil, false, 0
	spare.Reserved[cnpKind] = kind
	be.PutUint32(spare.Reserved[cnpValue:], value)
	f.Rare = spare
}
