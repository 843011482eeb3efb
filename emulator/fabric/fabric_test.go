package fabric_test

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// No frame may arrive before the end of the window in which it left, by any rule
// of accounting: under Bare48 the 60 bytes of an ACK take 4.8 ns at 100 Gb/s,
// which that rule counts as 4, and a payload of one byte counts for 49. Tier:
// -short.
func TestNothingArrivesWithinTheLookahead(t *testing.T) {
	frames := map[string]*wire.Frame{
		"an ACK":               {EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge},
		"a packet of one byte": {EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteOnly},
	}
	frames["a packet of one byte"].SetPayload(1)
	for _, accounting := range []wire.Accounting{wire.Full, wire.Bare48} {
		for _, rate := range []unit.BitRate{10 * unit.Gbps, 25 * unit.Gbps, 100 * unit.Gbps, 400 * unit.Gbps} {
			c := fabric.Channel{Rate: rate, Latency: unit.Microsecond}
			a := fabric.Attachment{Tx: c, Rx: c, Accounting: accounting}
			for name, f := range frames {
				if arrival := a.ArrivalOf(0, f); arrival < unit.Time(a.Lookahead()) {
					t.Errorf("%v at %v: %s arrives after %v, the lookahead is %v",
						accounting, rate, name, arrival, a.Lookahead())
				}
			}
		}
	}
}
