package layers

import (
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/rocelab/rocelab/emulator/wire"
)

// The layer types, in the range that gopacket leaves to applications.
var (
	LayerTypeBTH          = register(1791, "BTH", gopacket.DecodeFunc(decodeBTH))
	LayerTypeRETH         = register(1792, "RETH", single(func() layer { return new(RETH) }))
	LayerTypeAETH         = register(1793, "AETH", single(func() layer { return new(AETH) }))
	LayerTypeCNP          = register(1794, "CNP", single(func() layer { return new(CNP) }))
	LayerTypeExtension    = register(1795, "AlgorithmExtension", single(func() layer { return new(Extension) }))
	LayerTypeICRC         = register(1796, "ICRC", single(func() layer { return new(ICRC) }))
	LayerTypePFC          = register(1797, "PFC", single(func() layer { return new(PFC) }))
	LayerTypeNotification = register(1798, "Notification", single(func() layer { return new(Notification) }))
	LayerTypeImmDt        = register(1799, "ImmDt", single(func() layer { return new(ImmDt) }))
	LayerTypeAtomicETH    = register(1800, "AtomicETH", single(func() layer { return new(AtomicETH) }))
	LayerTypeAtomicAckETH = register(1801, "AtomicAckETH", single(func() layer { return new(AtomicAckETH) }))
	LayerTypeDETH         = register(1802, "DETH", single(func() layer { return new(DETH) }))
)

func init() {
	layers.RegisterUDPPortLayerType(wire.UDPPort, LayerTypeBTH)
	layers.RegisterUDPPortLayerType(wire.NotificationPort, LayerTypeNotification)
	layers.EthernetTypeMetadata[wire.EtherTypeMACControl] = layers.EnumMetadata{
		Name: "MACControl", LayerType: LayerTypePFC, DecodeWith: single(func() layer { return new(PFC) })}
}

func register(number int, name string, decoder gopacket.Decoder) gopacket.LayerType {
	return gopacket.RegisterLayerType(number, gopacket.LayerTypeMetadata{Name: name, Decoder: decoder})
}

// layer has the methods of every layer of this package.
type layer interface {
	gopacket.Layer
	gopacket.DecodingLayer
	gopacket.SerializableLayer
}

// single decodes one header that does not depend on others.
func single(make func() layer) gopacket.DecodeFunc {
	return func(data []byte, packet gopacket.PacketBuilder) error {
		l := make()
		if err := l.DecodeFromBytes(data, packet); err != nil {
			return err
		}
		packet.AddLayer(l)
		if next := l.NextLayerType(); next != gopacket.LayerTypeZero {
			return packet.NextDecoder(next)
		}
		return nil
	}
}

// decodeBTH adds the BTH and everything behind it.
func decodeBTH(data []byte, packet gopacket.PacketBuilder) error {
	stack := NewStack()
	if err := stack.BTH.DecodeFromBytes(data, packet); err != nil {
		return err
	}
	packet.AddLayer(&stack.BTH)
	rest := stack.BTH.LayerPayload()
	next := stack.BTH.NextLayerType()
	for next != gopacket.LayerTypePayload && next != gopacket.LayerTypeZero {
		l := stack.layer(next)
		if err := l.DecodeFromBytes(rest, packet); err != nil {
			return err
		}
		packet.AddLayer(l)
		rest, next = l.LayerPayload(), l.NextLayerType()
	}
	if len(rest) > 0 {
		payload := gopacket.Payload(rest)
		packet.AddLayer(&payload)
		packet.SetApplicationLayer(&payload)
	}
	icrc := new(ICRC)
	if err := icrc.DecodeFromBytes(stack.BTH.Trailer(), packet); err != nil {
		return err
	}
	packet.AddLayer(icrc)
	return nil
}
