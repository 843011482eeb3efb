package nicd

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Facts returns the facts of a flow that its algorithm gets. The base RTT is the
// round trip of a full-size packet along Path and its ACK along Back, both with the
// extensions that the algorithm's signals call for, as accounting counts: fabric.Path's Delay, with what
// switches take. With four channels of 100 Gb/s
// and 1 us, a 1000 B payload and extension types 1 and 2 it is 4.193 us.
func Facts(config SenderConfig, lineRate unit.BitRate, accounting wire.Accounting) cc.Facts {
	signals := config.Controller.Signals()
	data := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle}
	data.SetPayload(int(config.MTU))
	ack := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge}
	SetExtensions(signals, &data, &ack)
	baseline := config.Path.Delay(accounting.Bytes(&data), accounting)
	return cc.Facts{
		Flow:        config.Flow,
		LineRate:    lineRate,
		MTU:         config.MTU,
		PacketBytes: accounting.Bytes(&data),
		BaseRTT:     baseline + config.Back.Delay(accounting.Bytes(&ack), accounting),
		Baseline:    baseline,
		Hops:        config.Hops,
		Size:        config.Size,
		Group:       config.Group,
		Chance:      config.Chance,
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
