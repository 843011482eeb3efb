package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ttl is the TTL of what a NIC sends, Linux's default.
const ttl = 64

// template is one of the few kinds of packets that a flow has: a frame with all but
// PSN, times and memory addresses filled in, and the sizes and times that follow
// from its length. Sending is a copy of it and a few stores.
type template struct {
	frame   wire.Frame
	payload unit.Bytes
	// bytes is the packet's size on the wire, serial its time on this NIC's.
	bytes  unit.Bytes
	serial unit.Duration
	// baseline is the one-way delay of a packet of this length on empty
	// queues, in whole ns, rounded down.
	baseline uint32
}

// The templates: by place in the message, and for the last message of a flow,
// which may be shorter, by its length too.
const (
	templateMiddle = iota
	templateFirst
	templateLast
	templateOnly
	templateFinalLast
	templateFinalOnly
	numTemplates
)

// templateAt returns the template of the packet at cursor.
func (l *layout) templateAt(cursor *cursor) int {
	place := templateMiddle
	if cursor.from == cursor.start {
		place = templateFirst
	}
	if cursor.end-cursor.from <= l.mtu {
		place += templateLast
		if cursor.end-cursor.start != l.message {
			place += templateFinalLast - templateLast
		}
	}
	return place
}

// newTemplates returns the templates that the layout of a flow needs.
func (n *NIC) newTemplates(account *reliability, config *SenderConfig, dscp uint8) (templates [numTemplates]template) {
	layout := &account.layout
	last := func(message unit.Bytes) unit.Bytes {
		if rest := message % layout.mtu; rest > 0 {
			return rest
		}
		return layout.mtu
	}
	payload := [numTemplates]unit.Bytes{
		templateMiddle: layout.mtu,
		templateFirst:  layout.mtu,
		templateLast:   last(layout.message),
		templateOnly:   last(layout.message),
	}
	if layout.size > 0 {
		final := last(layout.size % layout.message)
		payload[templateFinalLast], payload[templateFinalOnly] = final, final
	}
	opcode := [numTemplates]wire.Opcode{
		templateMiddle:    wire.WriteMiddle,
		templateFirst:     wire.WriteFirst,
		templateLast:      wire.WriteLast,
		templateOnly:      wire.WriteOnly,
		templateFinalLast: wire.WriteLast,
		templateFinalOnly: wire.WriteOnly,
	}
	frame := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       n.address.mac,
		Dst:       config.Peer.MAC,
		SrcIP:     n.address.ip,
		DstIP:     config.Peer.IP,
		TOS:       dscp << 2,
		TTL:       ttl,
		Fragment:  wire.DontFragment,
		SrcPort:   config.SrcPort,
		DestQP:    config.Peer.QP,
		PKey:      wire.DefaultPKey,
		Flags:     wire.FlagMigReq,
		RKey:      config.Peer.QP<<8 | 1,
	}
	signals := config.Controller.Signals()
	if signals.ECT {
		frame.TOS |= wire.ECT0
	}
	var ack wire.Frame
	SetExtensions(signals, &frame, &ack)
	for k := range templates {
		template := &templates[k]
		template.frame, template.payload = frame, payload[k]
		template.frame.Opcode = opcode[k]
		template.frame.SetPayload(int(template.payload))
		template.bytes = n.tx.Accounting().Bytes(&template.frame)
		template.serial = n.tx.Time(template.frame.Len(), &template.frame)
		template.baseline = uint32(config.Path.Delay(template.bytes, n.tx.Accounting()).Nanoseconds())
	}
	return templates
}

// newFrame returns a copy of a frame that the caller may change, with its own Rare if the frame has one. The usual
// frames have none; the others keep it from use to use.
func newFrame(out *fabric.Outbox, template *wire.Frame) *wire.Frame {
	frame := out.New()
	rare := frame.Rare
	*frame = *template
	if template.Rare == nil {
		return frame
	}
	if rare == nil {
		rare = new(wire.Rare)
	}
	rare.INT, rare.OwnLen, rare.Payload, rare.Unpadded = template.Rare.INT, template.Rare.OwnLen, nil, false
	rare.DstPort = 0
	frame.Rare = rare
	return frame
}
