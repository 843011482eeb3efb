package wire_test

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/wire"
)

// A CNP becomes bytes and a frame again. A byte that changes on the way is found.
func Example() {
	frame := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     0x0a000001,
		DstIP:     0x0a000002,
		TTL:       64,
		SrcPort:   49152,
		Opcode:    wire.CNP,
		Notify:    wire.BECN,
		PKey:      0xffff,
		DestQP:    0x11,
	}
	frame.SetPayload(0)
	bytes := frame.AppendTo(nil)
	fmt.Println(len(bytes), "bytes:", &frame)

	var again wire.Frame
	fmt.Println(wire.Decode(bytes, &again), again.Digest() == frame.Digest())
	bytes[50] ^= 1
	fmt.Println(wire.Decode(bytes, &again))
	// Output:
	// 74 bytes: 10.0.0.1 > 10.0.0.2 CNP QP 0x11 PSN 0
	// <nil> true
	// wrong ICRC in ICRC at byte 70: 0x9e7524ed, want 0xfb121fab
}
