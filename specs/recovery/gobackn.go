package recovery

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// packet is a packet of one reliable connection that carries SENDs or WRITEs one way, as an end of it sees
// it: what it sends, lost later or not, and what comes in.
type packet struct {
	// Kind is the kind of packet; Number identifies it: for data the packet's number by its PSN, 0 for the connection's
	// first, for an ACK the last that it covers, for a NAK the missing one.
	Kind   kind
	Number int64
	// Lost is set if it was lost on its way to the end that sees it.
	Lost bool
}

// kind is a kind of packet.
type kind uint8

// The kinds.
const (
	dataPacket kind = iota
	ackPacket
	nakPacket // of a PSN sequence error
)

// tally has the counts of a check.
type tally struct {
	// Data counts packets of data, Lost those among them that were lost, Naks what reported gaps, Timeouts
	// the times that a sender went back without being asked to, Gaps the times that a packet was found
	// missing.
	Data, Lost, Naks, Timeouts, Gaps int
}

// checkSender reports the first rule of go-back-N that a sender of the given number of packets broke, by its trace; nil
// if it kept them:
//
//   - it sends its packets in order;
//   - after a NAK it goes back to the packet that is missing, and before it has, there comes no second NAK;
//   - without a NAK it may go back anywhere, for a timeout;
//   - ACKs never go back;
//   - in the end the last packet is sent and acknowledged, and each NAK is answered.
//
// These are the rules of the checks of Lumina (Yu et al., SIGCOMM 2023), an analyser of real RDMA NICs:
// lumina/analyzer/checker/gbn_check.py of github.com/lumina-test/lumina, commit 1685cbd. PSNs may wrap here.
func checkSender(trace []packet, packets int64) (tally tally, err error) {
	const none = -1
	sent, acked, nak := int64(none), int64(none), int64(none)
	for _, p := range trace {
		switch {
		case p.Kind == dataPacket:
			tally.Data++
			switch {
			case sent == none || p.Number == sent+1:
			case p.Number == nak:
				nak = none
			case nak == none:
				tally.Timeouts++
			default:
				return tally, fmt.Errorf("packet %d is sent after %d, while the NAK of %d waits", p.Number, sent, nak)
			}
			sent = p.Number
		case p.Lost:
		case p.Kind == ackPacket && p.Number < acked:
			return tally, fmt.Errorf("ACK of %d after that of %d", p.Number, acked)
		case p.Kind == ackPacket:
			acked = p.Number
		case nak != none:
			return tally, fmt.Errorf("NAK of %d while that of %d waits", p.Number, nak)
		default:
			tally.Naks++
			nak = p.Number
		}
	}
	switch last := packets - 1; {
	case sent != last || acked != last:
		return tally, fmt.Errorf("%d was sent last and %d acknowledged, of %d", sent, acked, last)
	case nak != none:
		return tally, fmt.Errorf("the NAK of %d was never answered", nak)
	}
	return tally, nil
}

// checkReceiver is checkSender of the other end:
//
//   - a NAK names the first packet that is missing, after a later one came;
//   - until that packet has come there is no second NAK;
//   - ACKs never go back;
//   - in the end all packets have come in order, and the last is acknowledged.
func checkReceiver(trace []packet, packets int64) (tally tally, err error) {
	const none = -1
	received, acked, missing, nak := int64(none), int64(none), int64(none), int64(none)
	for _, p := range trace {
		switch {
		case p.Kind == dataPacket && p.Lost:
			tally.Data++
			tally.Lost++
		case p.Kind == dataPacket:
			tally.Data++
			switch {
			case p.Number == received+1:
				if received = p.Number; received == missing {
					missing, nak = none, none
				}
			case p.Number > received && missing == none:
				missing = received + 1
				tally.Gaps++
			}
		case p.Kind == ackPacket && p.Number < acked:
			return tally, fmt.Errorf("ACK of %d after that of %d", p.Number, acked)
		case p.Kind == ackPacket:
			acked = p.Number
		case nak != none:
			return tally, fmt.Errorf("NAK of %d after that of %d, which has not come", p.Number, nak)
		case p.Number != missing:
			return tally, fmt.Errorf("NAK of %d while %d is missing (%d: none)", p.Number, missing, none)
		default:
			tally.Naks++
			nak = p.Number
		}
	}
	switch last := packets - 1; {
	case received != last || acked != last:
		return tally, fmt.Errorf("%d came last and %d was acknowledged, of %d", received, acked, last)
	case missing != none || nak != none:
		return tally, fmt.Errorf("%d is missing, NAK of %d", missing, nak)
	}
	return tally, nil
}

// Seen returns what a port saw of the only connection that a capture has. Packets are counted from the first data
// packet in the file, which must not have been sent again before. The error is that of a frame that is no RoCEv2.
func Seen(frames []lab.Captured, port string) (trace []packet, err error) {
	first, newest := uint32(0), int64(-1) // the newest packet of data, by number
	for i := range frames {
		var f wire.Frame
		if err := wire.Decode(frames[i].Bytes, &f); err != nil {
			return nil, fmt.Errorf("frame %d: %w", i+1, err)
		}
		if !f.IsData() && f.Opcode != wire.Acknowledge {
			continue
		}
		if f.IsData() && newest < 0 {
			first, newest = f.PSN, 0
		}
		number := newest + int64(wire.DiffPSN(f.PSN, wire.AddPSN(first, int(newest))))
		if f.IsData() {
			newest = max(newest, number)
		}
		if frames[i].Port == port {
			lost := frames[i].Direction == pcapng.Inbound && strings.Contains(frames[i].Comment, "dropped: link_")
			trace = append(trace, packet{kindOf(&f), number, lost})
		}
	}
	return trace, nil
}

func kindOf(f *wire.Frame) kind {
	switch {
	case f.IsData():
		return dataPacket
	case f.Syndrome == wire.SyndromeNAKSequence:
		return nakPacket
	}
	return ackPacket
}
