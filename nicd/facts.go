package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// Facts returns what an algorithm is told of a flow. The base RTT is that of
// a full-size packet along Path and its ACK along Back, both with the
// extensions that the algorithm's signals call for: latency plus store and
// forward at every hop, as accounting counts. With four channels of 100 Gb/s
// and 1 us, a 1000 B payload and extension types 1 and 2 it is 4.193 us.
func Facts(c SenderConfig, lineRate unit.BitRate, accounting wire.Accounting) cc.Facts {
	s := c.Controller.Signals()
	data := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle}
	data.SetPayload(int(c.MTU))
	ack := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge}
	SetExtensions(s, &data, &ack)
	there := oneWay(c.Path, accounting.Bytes(&data), accounting)
	return cc.Facts{
		Flow:        c.Flow,
		LineRate:    lineRate,
		MTU:         c.MTU,
		PacketBytes: accounting.Bytes(&data),
		BaseRTT:     there + oneWay(c.Back, accounting.Bytes(&ack), accounting),
		Baseline:    there,
		Hops:        c.Hops,
		Size:        c.Size,
		Group:       c.Group,
		Chance:      c.Chance,
	}
}

func (c *ReceiverConfig) facts(lineRate unit.BitRate, accounting wire.Accounting) cc.Facts {
	return Facts(SenderConfig{
		Flow:       c.Flow,
		MTU:        c.MTU,
		Size:       c.Size,
		Group:      c.Group,
		Chance:     c.Chance,
		Controller: c.Controller,
		Path:       c.Path,
		Back:       c.Back,
		Hops:       len(c.Path) - 1,
	}, lineRate, accounting)
}

// oneWay is the time that b bytes take along a path on empty queues.
func oneWay(path []fabric.Channel, b unit.Bytes, a wire.Accounting) unit.Duration {
	d := unit.Duration(0)
	for _, hop := range path {
		d += a.SerialTimeOf(b, hop.Rate) + hop.Latency
	}
	return d
}
