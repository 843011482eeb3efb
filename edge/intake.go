package edge

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Flow is the addresses and the QPs of one of the fabric's flows, as packets name them.
type Flow struct {
	// Number is the flow's in the plan.
	Number uint32
	// SenderIP, SenderQP, ReceiverIP and ReceiverQP are its two ends.
	SenderIP, SenderQP, ReceiverIP, ReceiverQP uint32
}

// intake counts the frames that come in, by kind, and by flow if they pose as frames of one.
type intake struct {
	kinds  [record.NumForeign]uint64
	posing []record.Posing // in the order of the config's flows
	// flowOf has the place in posing of each end of a flow.
	flowOf map[address]int
	// made are the CNPs that the edge made, dropped the ones of them without room; ownCNPs are CNPs of receivers behind
	// it, ownRefused the ones of them that the ACL ended.
	made, dropped       volume
	ownCNPs, ownRefused uint64
}

// volume is a number of frames, and their bytes.
type volume struct{ frames, bytes uint64 }

func (v *volume) add(length unit.Bytes) {
	v.frames++
	v.bytes += uint64(length)
}

// address has the fields of a packet that name the two ends of a flow.
type address struct{ srcIP, dstIP, destQP uint32 }

func newIntake(flows []Flow) intake {
	k := intake{posing: make([]record.Posing, len(flows)), flowOf: make(map[address]int, 2*len(flows))}
	for i := range flows {
		flow := &flows[i]
		k.posing[i].Flow = flow.Number
		k.flowOf[address{flow.SenderIP, flow.ReceiverIP, flow.ReceiverQP}] = i
		k.flowOf[address{flow.ReceiverIP, flow.SenderIP, flow.SenderQP}] = i
	}
	return k
}

// kindOf returns what a frame claims to be.
func kindOf(frame *wire.Frame) record.ForeignKind {
	switch {
	case frame.IsPFC():
		return record.ForeignPFC
	case frame.IsDatagram():
		return record.ForeignNotification
	case frame.IsOpaque():
		return record.ForeignOther
	case frame.Opcode == wire.CNP:
		return record.ForeignCNP
	case frame.Opcode == wire.Acknowledge, frame.Opcode == wire.AtomicAcknowledge:
		return record.ForeignACK
	}
	return record.ForeignData
}

// pass counts a frame that goes on, for the flow that it poses as a frame of.
func (k *intake) pass(kind record.ForeignKind, frame *wire.Frame) {
	if kind > record.ForeignCNP {
		return
	}
	i, ok := k.flowOf[address{frame.SrcIP, frame.DstIP, frame.DestQP}]
	if !ok {
		return
	}
	switch p := &k.posing[i]; kind {
	case record.ForeignData:
		p.Data++
	case record.ForeignACK:
		p.ACKs++
	case record.ForeignCNP:
		p.CNPs++
	}
}

// record returns the counts of frames from outside, and of CNPs made in a host's name, without the flows that nothing
// poses as a frame of.
func (k *intake) record() record.Foreign {
	r := record.Foreign{
		Kinds:        k.kinds,
		MadeCNPs:     k.made.frames,
		MadeBytes:    k.made.bytes,
		DroppedCNPs:  k.dropped.frames,
		DroppedBytes: k.dropped.bytes,
		OwnCNPs:      k.ownCNPs,
		OwnRefused:   k.ownRefused,
	}
	for _, p := range k.posing {
		if p.Data+p.ACKs+p.CNPs > 0 {
			r.Posing = append(r.Posing, p)
		}
	}
	return r
}
