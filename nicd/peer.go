package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/verbs"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// PeerConfig is a connection to a real stack behind an edge.
type PeerConfig struct {
	Name string
	// QP is the local QP number: peer.FirstQP plus the number of such connections added before.
	QP   uint32
	Peer Peer
	// SrcPort is the UDP source port, DSCP the code point of all that leaves, negative for that of the NIC's data.
	SrcPort uint16
	DSCP    int
	// Verbs are memory, receives and work.
	Verbs peer.Config
	// Carries, if not 0, is the QP of the sending end of a flow, added before: the requests are the flow's packets, whose
	// algorithm decides when each leaves, and that QP is not on the wire. The flow's size is their payload.
	Carries uint32 `json:",omitempty"`
}

// peerEnd is our end of such a connection.
type peerEnd struct {
	index    uint32
	verbs    *verbs.QP
	peer     uint32     // address
	template wire.Frame // what all that leaves has
	timer    link.Timer
	notifier notifier
	waiting  uint64 // frames of verbs that wait for the port
	marked   uint64 // frames that came with CE
	cnps     uint64 // that we sent for them
	refused  uint64 // frames that were dropped as nothing for the QP
	// carries is the QP of the flow that the connection carries, 0 for none.
	carries uint32
	// flow, if not nil, is the flow that our requests are, with their TOS; otherwise they leave at once.
	flow       *sender
	requestTOS uint8
}

// peerCNPInterval is the least time between two CNPs to a peer: 50 us, as DCQCN has it (Zhu et al., SIGCOMM 2015,
// section 3.1).
const peerCNPInterval = 50 * unit.Microsecond

// AddPeer adds our end of a connection to a real stack to a NIC. The error names the wrong value and the allowed ones.
func AddPeer(n *NIC, config PeerConfig) error {
	index := uint32(len(n.peers))
	if want := peer.FirstQP + index; config.QP != want {
		return fmt.Errorf("NIC %s: peer %s: QP is %#x, the next of this NIC is %#x", n.name, config.Name, config.QP, want)
	}
	qp, err := verbs.New(config.Verbs)
	if err != nil {
		return fmt.Errorf("NIC %s: peer %s: %w", n.name, config.Name, err)
	}
	dscp := n.profile.DataDSCP
	if config.DSCP >= 0 {
		dscp = uint8(config.DSCP)
	}
	end := &peerEnd{
		index: index,
		verbs: qp,
		peer:  config.Peer.IP,
		template: wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			Src:       n.address.mac,
			Dst:       config.Peer.MAC,
			SrcIP:     n.address.ip,
			DstIP:     config.Peer.IP,
			TOS:       dscp<<2 | wire.ECT0,
			TTL:       ttl,
			Fragment:  wire.DontFragment,
			SrcPort:   config.SrcPort,
			DestQP:    config.Peer.QP,
			PKey:      wire.DefaultPKey,
		},
		notifier: notifier{interval: peerCNPInterval},
	}
	n.peers = append(n.peers, end)
	if end.carries = config.Carries; end.carries != 0 {
		qp.Drive()
		if flow := n.qps[end.carries-FirstQP].send(); flow != nil { // made before, because of ranks
			carry(n, flow)
		}
		return nil
	}
	n.arm(&end.timer, qp.Next(), jobPeer, index)
	return nil
}

// takePeers takes a frame for one of the connections to real stacks, and reports whether it is one's.
func takePeers(n *NIC, now unit.Time, frame *wire.Frame) bool {
	i := frame.DestQP - peer.FirstQP
	if uint64(i) >= uint64(len(n.peers)) || frame.DstIP != n.address.ip || frame.IsDatagram() {
		return false
	}
	end := n.peers[i]
	if frame.SrcIP != end.peer {
		n.drop(now, fabric.DropWrongPeer, frame)
		return true
	}
	if frame.ECN() == wire.CE {
		if end.marked++; end.notifier.allow(now) {
			end.cnps++
			end.emit(n, wire.Frame{Opcode: wire.CNP, Notify: wire.BECN}, n.profile.CNPDSCP<<2, nil)
		}
	}
	end.verbs.Waits(end.waiting)
	var before verbs.Progress
	if end.flow != nil {
		before = end.verbs.Progress()
	}
	fate := end.verbs.Take(now, frame)
	if end.flow != nil {
		end.heard(n, now, frame, fate, &before)
	}
	switch fate {
	case verbs.Taken:
		n.out.Free(frame)
	case verbs.Duplicate:
		n.drop(now, fabric.DropDuplicate, frame)
	case verbs.Ahead:
		n.drop(now, fabric.DropOutOfOrder, frame)
	default:
		end.refused++
		n.drop(now, fabric.DropUnknownQP, frame)
	}
	end.flush(n)
	return true
}

// wake is the timer's event.
func (e *peerEnd) wake(n *NIC, now unit.Time) {
	if e.timer.Fired(now) && e.verbs.Next() <= now {
		before := e.verbs.Progress()
		if e.verbs.Advance(now); e.flow != nil {
			e.expired(n, now, &before)
		}
	}
	e.flush(n)
}

// flush puts what the connection sends into line, and arms its timer. All of it leaves in one class, for answers may
// not overtake each other.
func (e *peerEnd) flush(n *NIC) {
	for _, f := range e.verbs.Out() {
		tos := e.template.TOS
		if f.Opcode == wire.Acknowledge {
			tos &^= wire.ECNMask
		}
		e.waiting++
		e.emit(n, f, tos, e)
	}
	if next := e.verbs.Next(); next != unit.Never {
		n.arm(&e.timer, next, jobPeer, e.index)
	}
}

// finish is called when a frame of verbs leaves.
func (e *peerEnd) finish(*wire.Frame, int64) { e.waiting-- }

// emit puts a frame into line: body with the addresses of the connection. counts, if not nil, counts it as waiting.
func (e *peerEnd) emit(n *NIC, body wire.Frame, tos uint8, counts finisher) {
	frame := e.address(n, body, tos)
	n.port.queue(n.classOf(frame), response{frame: frame, finisher: counts})
}

// address makes a frame of body with the addresses of the connection.
func (e *peerEnd) address(n *NIC, body wire.Frame, tos uint8) *wire.Frame {
	frame := n.out.New()
	t := &e.template
	body.EtherType, body.Src, body.Dst, body.SrcIP, body.DstIP = t.EtherType, t.Src, t.Dst, t.SrcIP, t.DstIP
	body.TOS, body.TTL, body.Fragment = tos, t.TTL, t.Fragment
	body.SrcPort, body.DestQP, body.PKey = t.SrcPort, t.DestQP, t.PKey
	body.Flags |= wire.FlagMigReq
	*frame = body
	return frame
}

// PeerRecord is the account of one connection to a real stack.
type PeerRecord struct {
	verbs.Record
	// Marked are frames that came with CE, SentCNPs our answers to them, RefusedFrames frames that the NIC
	// dropped.
	Marked, SentCNPs, RefusedFrames uint64
}

// RecordOfPeer returns the account of the connection at a place.
func RecordOfPeer(n *NIC, index int) *PeerRecord {
	e := n.peers[index]
	return &PeerRecord{Record: e.verbs.Record(), Marked: e.marked, SentCNPs: e.cnps, RefusedFrames: e.refused}
}
