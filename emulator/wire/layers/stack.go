package layers

import (
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/rocelab/rocelab/emulator/wire"
)

// Stack is one of each layer that can follow UDP. The layers of the RoCE port share the list of headers that the last
// decoded BTH announced, so that each knows its successor. Make one with NewStack; do not copy it.
type Stack struct {
	BTH          BTH
	DETH         DETH
	RETH         RETH
	AtomicETH    AtomicETH
	AETH         AETH
	AtomicAckETH AtomicAckETH
	ImmDt        ImmDt
	CNP          CNP
	Extension    Extension
	Notification Notification
	upcoming     sequence
}

// NewStack returns a stack whose layers know of each other.
func NewStack() *Stack {
	s := new(Stack)
	for _, h := range []*header{&s.BTH.header, &s.DETH.header, &s.RETH.header, &s.AtomicETH.header, &s.AETH.header,
		&s.AtomicAckETH.header, &s.ImmDt.header, &s.CNP.header, &s.Extension.header} {
		h.upcoming = &s.upcoming
	}
	return s
}

// Layers returns the layers of s, for gopacket.NewDecodingLayerParser; add a
// gopacket.Payload. The ICRC is not reached by such a parser: read it from
// BTH.Trailer.
func (s *Stack) Layers() []gopacket.DecodingLayer {
	return []gopacket.DecodingLayer{&s.BTH, &s.DETH, &s.RETH, &s.AtomicETH, &s.AETH, &s.AtomicAckETH, &s.ImmDt,
		&s.CNP, &s.Extension,
		&s.Notification}
}

func (s *Stack) layer(layerType gopacket.LayerType) layer {
	for _, l := range []layer{&s.DETH, &s.RETH, &s.AtomicETH, &s.AETH, &s.AtomicAckETH, &s.ImmDt, &s.CNP, &s.Extension} {
		if l.LayerType() == layerType {
			return l
		}
	}
	panic(fmt.Sprintf("layers: %s does not follow a BTH", layerType))
}

// sequence is the headers that are still to come.
type sequence struct {
	left wire.Headers
	ext  bool
}

// pop takes the next header off, in their order on the wire.
func (s *sequence) pop() (gopacket.LayerType, bool) {
	for _, step := range [...]struct {
		bit wire.Headers
		t   gopacket.LayerType
	}{
		{wire.HasDETH, LayerTypeDETH}, {wire.HasRETH, LayerTypeRETH}, {wire.HasAtomic, LayerTypeAtomicETH},
		{wire.HasAETH, LayerTypeAETH},
		{wire.HasAtomicAck, LayerTypeAtomicAckETH}, {wire.HasImm, LayerTypeImmDt}, {wire.HasReserved, LayerTypeCNP},
	} {
		if s.left&step.bit != 0 {
			s.left &^= step.bit
			return step.t, true
		}
	}
	if s.ext {
		s.ext = false
		return LayerTypeExtension, true
	}
	return gopacket.LayerTypeZero, false
}

// header has the common fields of layers.
type header struct {
	layers.BaseLayer
	upcoming *sequence
	next     gopacket.LayerType
}

// NextLayerType returns the layer type of what follows: the next header of the
// packet if the layer belongs to a Stack, otherwise the payload, if any.
func (h *header) NextLayerType() gopacket.LayerType { return h.next }

// split divides data into this header of n bytes and the rest.
func (h *header) split(name string, data []byte, n int, df gopacket.DecodeFeedback) error {
	if len(data) < n {
		df.SetTruncated()
		return fmt.Errorf("%s: %d bytes, want %d", name, len(data), n)
	}
	h.BaseLayer = layers.BaseLayer{Contents: data[:n], Payload: data[n:]}
	h.advance()
	return nil
}

// advance finds out what follows.
func (h *header) advance() {
	h.next = gopacket.LayerTypeZero
	if h.upcoming != nil {
		if t, ok := h.upcoming.pop(); ok {
			h.next = t
			return
		}
	}
	if len(h.Payload) > 0 {
		h.next = gopacket.LayerTypePayload
	}
}
