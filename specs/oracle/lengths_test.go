package oracle

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// take follows the receiver: which packets it took, in order or, if it keeps them, ahead of others.
func (f *flow) take(list []happening, keeps bool) {
	has, inOrder := map[int64]bool{}, int64(0)
	for _, h := range list {
		n := f.numberOf(h.frame.PSN, inOrder)
		if n < inOrder || has[n] || n > inOrder && !keeps {
			continue
		}
		has[n] = true
		for has[inOrder] {
			inOrder++
		}
		f.takes = append(f.takes, taken{h.at, inOrder})
	}
}

// rethOf and padOf are the bytes that a first packet and one of an odd length have beside.
func rethOf(f *wire.Frame) int64 {
	if f.Opcode == wire.WriteFirst || f.Opcode == wire.WriteOnly {
		return 16
	}
	return 0
}

func padOf(f *wire.Frame) int64 { return (4 - int64(f.PayloadLen)%4) % 4 }

// baseRTT is a full packet there and an ACK back on empty queues, with store and forward and what switches take at each
// hop.
func (f *flow) baseRTT(mtu int64) (base unit.Duration) {
	for _, hop := range f.Path {
		base += serialOf(f.full(mtu)+24, hop.Rate) + hop.Latency + hop.Pipeline
	}
	for _, hop := range f.Back {
		base += serialOf(f.ack+24, hop.Rate) + hop.Latency + hop.Pipeline
	}
	return base
}

// full is the length of a full packet.
func (f *flow) full(mtu int64) int64 { return f.header + mtu + (4-mtu%4)%4 }

// ideal is the time of a flow alone, or of one of its messages: the base RTT, and all of its packets at the narrowest
// link of the way.
func (f *flow) ideal(mtu int64) unit.Duration {
	size, narrowest := int64(f.Size), f.Path[0].Rate
	if f.Messages != nil {
		size = int64(f.Message)
	}
	for _, hop := range f.Path {
		narrowest = min(narrowest, hop.Rate)
	}
	packets := (size + mtu - 1) / mtu
	return f.baseRTT(mtu) + serialOf(size+packets*(f.full(mtu)-mtu+24), narrowest)
}
