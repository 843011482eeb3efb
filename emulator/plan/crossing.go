package plan

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// haul is the path behind a DCI port: the least delays of the long-haul path there and back, the delays that the paths
// of flows and of their ACKs have for them, and the port's rate.
type haul struct {
	there, back, path, pathBack unit.Duration
	rate                        unit.BitRate
	// count is the number of long-haul paths.
	count int
}

// hauls returns the paths behind each DCI port.
func (p *Plan) hauls() map[End]haul {
	hauls := map[End]haul{}
	for port := range p.DCIPorts {
		direction := 0
		if port.Path.Links[0] != p.Switches[port.Switch].Links[port.Port] {
			direction = 1
		}
		phases := port.Path.Profile.Phases
		behind := haul{
			there:    phases[0].Delay[direction],
			back:     phases[0].Delay[1-direction],
			path:     phases[0].Delay[direction],
			pathBack: phases[0].Delay[1-direction],
			rate:     port.Attachment.Tx.Rate,
			count:    1,
		}
		for i := range phases {
			behind.there = min(behind.there, phases[i].Delay[direction])
			behind.back = min(behind.back, phases[i].Delay[1-direction])
		}
		hauls[End{Node: p.SwitchNode(port.Switch), Port: port.Port}] = behind
	}
	return hauls
}

// fibreOf is all fibre on a shortest path of a flow, and whether there is any: all shortest paths
// cross it, or none.
func (p *Plan) fibreOf(flow *Flow, hauls map[End]haul) (sum haul, crosses bool) {
	end := End{Node: p.NICNode(flow.Src)}
	for range p.Nodes() {
		at := p.Node(end.Node)
		far := p.Node(p.Peer(at.Links[end.Port], end).Node)
		if far.Kind != KindSwitch {
			break
		}
		sw := &p.Switches[far.Index]
		onward := sw.NextHops[sw.Routes[flow.Dst]]
		if len(onward) == 0 {
			break
		}
		end = End{Node: far.ID, Port: int(onward[0])}
		if behind, ok := hauls[end]; ok {
			crosses = true
			sum.there += behind.there
			sum.back += behind.back
			sum.path += behind.path
			sum.pathBack += behind.pathBack
			sum.count += behind.count
		}
	}
	return sum, crosses
}

// NICRate returns the rate at which a NIC sends.
func (p *Plan) NICRate(nic int) unit.BitRate {
	l := &p.Links[p.NICs[nic].Link]
	if l.A.Node != p.NICNode(nic) {
		return l.Backward.Rate
	}
	return l.Forward.Rate
}

// dataFrame and ackFrame return the frames of packets and their ACKs, without extensions, for their length on a wire.
func dataFrame(payload unit.Bytes) *wire.Frame {
	return &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle, PayloadLen: uint16(payload)}
}

func ackFrame() *wire.Frame {
	return &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge}
}

// sendTime returns the time for which the packets of a message occupy a wire.
func (p *Plan) sendTime(message unit.Bytes, rate unit.BitRate) unit.Duration {
	full, rest := message/p.MTU, message%p.MTU
	took := unit.Duration(full) * p.Accounting.SerialTime(dataFrame(p.MTU), rate)
	if rest > 0 {
		took += p.Accounting.SerialTime(dataFrame(rest), rate)
	}
	return took
}

// acksTime returns the time for which the ACKs of a message of a flow occupy the wire from its receiver's NIC.
func (p *Plan) acksTime(flow *Flow) unit.Duration {
	acks := acksOf(p, flow, packetsOf(p, flow.Message))
	return unit.Duration(acks) * p.Accounting.SerialTime(ackFrame(), p.NICRate(flow.Dst))
}

// packetsOf returns the number of packets of a message, and acksOf the number of ACKs with which a flow's receiver
// answers a message of that many.
func packetsOf(p *Plan, message unit.Bytes) int64 { return int64((message + p.MTU - 1) / p.MTU) }

func acksOf(p *Plan, flow *Flow, packets int64) int64 {
	every := int64(1)
	if receiver := p.ReceiverOf(flow); receiver != nil {
		every = int64(max(1, receiver.Profile.AckEvery))
	}
	return (packets + every - 1) / every
}

// delayBehindNIC returns the time of a full-size packet along a flow's path on empty queues once its last bit is out of
// the NIC.
func (p *Plan) delayBehindNIC(flow *Flow) unit.Duration {
	full := p.Accounting.Bytes(dataFrame(p.MTU))
	return flow.Path.Delay(full, p.Accounting) - p.Accounting.SerialTimeOf(full, flow.Path[0].Rate)
}

// ackDelay returns the time of an ACK on its way back.
func (p *Plan) ackDelay(flow *Flow) unit.Duration {
	return flow.Back.Delay(p.Accounting.Bytes(ackFrame()), p.Accounting)
}
