package nicd

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func slowHost(pauses bool) profile.NIC {
	p := profile.DefaultNIC()
	p.Host.Intake = profile.Intake{Rate: 10 * unit.Gbps, Buffer: 10 * unit.KB, Pauses: pauses}
	return p
}

// 20 packets of 1000 B arrive in 2 us, and the host takes one in 800 ns: 7 frames of 1280 B in cells fit into 10 KB,
// the eighth comes when one has left. Tier: -short. Red: with no bound in takeIn.
func TestSlowHostDrops(t *testing.T) {
	l := newLone(t, config("nic", 0, 1, slowHost(false)))
	qp := l.receive(&script{})
	for i := range 20 {
		l.data(at(unit.Duration(i+1)*100*ns), qp, uint32(i), wire.WriteMiddle, 0)
	}
	l.run(at(2 * us))
	inFlight := 0
	l.n.InFlight(func(port int, _ *wire.Frame) {
		if inFlight++; port != 0 {
			t.Errorf("a frame waits at port %d", port)
		}
	})
	r := l.n.PortRecord(at(2 * us))
	if drops := r.Drops[fabric.DropIntake]; drops == 0 || r.RxFrames != 2+drops || uint64(inFlight) != 20-r.RxFrames {
		t.Errorf("%d dropped, %d received, %d wait", drops, r.RxFrames, inFlight)
	}
	l.run(at(20 * us))
	r = l.n.PortRecord(at(20 * us))
	if drops := r.Drops[fabric.DropIntake]; drops != 11 || r.RxFrames != 20 || r.TxPFCFrames != 0 {
		t.Errorf("in the end %d dropped, %d received, %d pauses", drops, r.RxFrames, r.TxPFCFrames)
	}
}

// With pauses the class is held from half of the buffer on, four frames, until a quarter is left, one. ACKs and CNPs
// do not wait. Tier: -short. Red: with pfcPending left as it is in takenOut.
func TestSlowHostPauses(t *testing.T) {
	l := newLone(t, config("nic", 0, 1, slowHost(true)))
	qp := l.receive(&script{})
	for i := range 5 {
		l.data(at(unit.Duration(i+1)*100*ns), qp, uint32(i), wire.WriteMiddle, 0)
	}
	var pauses []string
	for _, d := range l.run(at(20 * us)) {
		if d.Frame.IsPFC() {
			pauses = append(pauses, picoseconds(d.Start)+describe(d.Frame))
		}
	}
	// The fourth of five leaves at 100 + 4 x 800 ns.
	if len(pauses) != 2 || pauses[0] != "400.000"+xoff3[1:] || pauses[1] != "3300.000"+xon3[1:] {
		t.Errorf("%q", pauses)
	}
}

// A host that is slow from 1 us to 3 us takes each packet of that time in 800 ns, and later packets, behind them, at
// line rate again. Red: with the Rate left as it is in Begin, or in End.
func TestSlowHostForATime(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Faults = []fault.Planned{{Kind: "slow-host", From: at(us), To: at(3 * us), Rate: 10 * unit.Gbps}}
	l := newLone(t, c)
	qp := l.receive(&script{})
	arrivals := []unit.Duration{500 * ns, 1500 * ns, 2000 * ns, 3050 * ns, 5 * us}
	for i, d := range arrivals {
		l.data(at(d), qp, uint32(i), wire.WriteMiddle, 0)
	}
	received := func(until unit.Duration, want uint64) {
		l.run(at(until))
		if got := l.n.PortRecord(at(until)).RxFrames; got != want {
			t.Errorf("%d packets received at %v, want %d", got, until, want)
		}
	}
	received(501*ns, 1)  // before the fault
	received(2299*ns, 1) // the second takes from 1.5 us to 2.3 us
	received(2301*ns, 2)
	received(3099*ns, 2) // the third to 3.1 us, and the fourth is behind it
	received(3101*ns, 4)
	received(5001*ns, 5)
	if met := l.n.FaultsMet(); len(met) != 1 || met[0].Frames != 2 {
		t.Errorf("the fault was met by %+v, want 2 frames", met)
	}
}

// A fault that begins as another of its kind ends is not ended by it. Red: with no condition in End.
func TestSlowHostTwice(t *testing.T) {
	c := config("nic", 0, 1, profile.DefaultNIC())
	c.Faults = []fault.Planned{
		{Kind: "slow-host", From: at(2 * us), To: at(3 * us), Rate: 10 * unit.Gbps},
		{Kind: "slow-host", From: at(us), To: at(2 * us), Rate: 20 * unit.Gbps},
	}
	l := newLone(t, c)
	qp := l.receive(&script{})
	l.data(at(2100*ns), qp, 0, wire.WriteMiddle, 0)
	l.run(at(2899 * ns))
	if got := l.n.PortRecord(at(2899 * ns)).RxFrames; got != 0 {
		t.Error("the second fault does not hold: the packet was taken within 799 ns")
	}
}
