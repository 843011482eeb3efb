package nicd

import (
	"encoding/binary"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// notifier is the notification point of DCQCN for one flow (Zhu et al.,
// SIGCOMM 2015, section 3.1): the first packet that arrives marked CE is
// answered with a CNP at once, and while marked packets keep arriving there is
// at most one CNP per interval. Nothing runs between packets: a CNP is always
// the answer to the marked packet that arrives when one may be sent.
type notifier struct {
	interval unit.Duration
	next     unit.Time // when the next CNP may leave
}

// answer reports whether the marked packet that arrives now gets a CNP.
func (p *notifier) answer(now unit.Time) bool {
	if now < p.next {
		return false
	}
	p.next = now.Add(p.interval)
	return true
}

// rttMask covers the RTT in extension type 5; the CNP's second four reserved
// bytes hold it in ns, 0 for none.
const rttMask = 1<<24 - 1

// rareWithRTT returns the rare parts of a CNP that carries an RTT, made of those
// that its frame brought along.
func rareWithRTT(rare *wire.Rare, ns uint32) *wire.Rare {
	if rare == nil {
		rare = new(wire.Rare)
	}
	rare.Reserved, rare.Payload, rare.Unpadded = [16]byte{}, nil, false
	binary.BigEndian.PutUint32(rare.Reserved[4:], ns)
	return rare
}

// rttInCNP returns the RTT that a CNP carries, for an algorithm that asks for
// it.
func rttInCNP(s cc.Signals, f *wire.Frame) unit.Duration {
	if f.Rare == nil || !s.RTTInCNP {
		return 0
	}
	return unit.Duration(binary.BigEndian.Uint32(f.Rare.Reserved[4:])) * unit.Nanosecond
}
