package nicd

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// carry loses a frame, or has it and its repetitions arrive, each late or in time.
func (x *adversary) carry(f flight) {
	for x.chance.Below(100) < x.repeats {
		again := f
		again.frame = x.out.Copy(f.frame)
		x.delay(again)
	}
	if x.chance.Below(100) < x.loses {
		x.out.Free(f.frame)
		return
	}
	x.delay(f)
}

func (x *adversary) delay(f flight) {
	if x.chance.Below(100) < x.delays {
		f.at = f.at.Add(unit.Duration(x.chance.Below(uint64(x.slack))))
	}
	x.fly(f)
}

// fly adds a frame to those on their way.
func (x *adversary) fly(f flight) {
	to := &x.flying[f.side]
	i := len(*to)
	for i > 0 && (*to)[i-1].at > f.at {
		i--
	}
	*to = slices.Insert(*to, i, f)
}

// landing returns the frame that arrives at a side now, if one does. An instant of an end has one
// cause: a frame that comes with another, or with the end's own event, comes a picosecond later.
func (x *adversary) landing(side int) (came flight, ok bool) {
	to := &x.flying[side]
	if len(*to) > 0 && (*to)[0].at <= x.now && x.next[side] > x.now {
		came, ok = (*to)[0], true
		*to = slices.Delete(*to, 0, 1)
	}
	for i := 0; i < len(*to) && (*to)[i].at <= x.now; i++ {
		(*to)[i].at = x.now + 1
	}
	return came, ok
}

// forge makes a frame that an honest peer never sent, to arrive at the given time, at which nothing else happens. Its
// frame is nil if the kind that was drawn has no true form now.
//
// It never acknowledges a packet that was sent and has not arrived: no sender could see through that.
func (x *adversary) forge(now unit.Time) flight {
	m, expected := x.sender, x.receiver.expected
	answer := func(to int64, syndrome uint8) flight {
		psn := to
		if syndrome != wire.SyndromeNAKSequence {
			psn--
		}
		frame := ackFrame(x.qp, psnOf(m.first, psn), syndrome)
		frame.SrcIP = x.b.address.ip
		return flight{now, 0, to, &frame}
	}
	data := func(packet int64) flight {
		frame := x.specimen
		frame.PSN, frame.Rare = psnOf(m.first, packet), nil
		return flight{now, 1, packet, &frame}
	}
	far := x.chance.Between(1, 1<<22)
	if x.chance.Below(2) == 0 {
		far = x.chance.Between(1, 4)
	}
	switch x.chance.Below(11) {
	case 0: // an ACK of what was never sent
		return answer(m.high+far, wire.SyndromeACK)
	case 1: // a NAK for what was never sent, the first of it before all
		return answer(m.high, wire.SyndromeNAKSequence)
	case 2:
		return answer(m.high+far, wire.SyndromeNAKSequence)
	case 3: // half the PSN space away
		return answer(m.una+1<<23, wire.SyndromeACK)
	case 4: // what was acknowledged before
		return answer(m.una, wire.SyndromeACK)
	case 5:
		return answer(m.una-far, wire.SyndromeACK)
	case 6:
		return answer(m.una-far, wire.SyndromeNAKSequence)
	case 7: // of what has arrived
		return answer(x.chance.Between(min(m.una, expected), expected), wire.SyndromeACK)
	case 8:
		if to := x.chance.Between(min(m.una, expected), expected); to >= m.una && to < m.high {
			return answer(to, wire.SyndromeNAKSequence)
		}
	case 9: // RNR NAK, reserved, NAK of another kind
		return answer(m.una, [...]uint8{0x20, 0x41, 0x61, 0x63}[x.chance.Below(4)])
	case 10:
		if x.specimen.DestQP == 0 { // nothing was sent yet
			break
		}
		if x.chance.Below(2) == 0 {
			return data(expected - far)
		}
		if x.receiver.keeps {
			far += 255 // closer ones would be kept
		}
		return data(expected + far)
	}
	return flight{}
}
