package switchd

import (
	"bytes"
	"testing"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func byRate(p *profile.Proximal) { p.Rate = true }

// A message brings each sender one CNP, with its share: 100 Gb/s among four, x 0.94 to drain the queue above the
// threshold. Except for 5 of its reserved bytes it is the CNP of a switch without rates.
func TestProximalSendsRates(t *testing.T) {
	plain, rated := newBench(t, leaf()), newBench(t, leaf(byRate))
	for _, b := range []*bench{plain, rated} {
		b.checked = true
		b.burst(0, 2, 10*us, 1)
		b.tell(2, 20*us, congestion(1, 19*us))
		b.run(2000 * us)
	}
	for port := range 2 {
		list := rated.cnps(port)
		if len(list) != 1 {
			t.Fatalf("%d CNPs for NIC %d, want 1", len(list), port)
		}
		f := list[0].Frame
		if rate, carried := f.CNPRate(); !carried || rate != 23_500*unit.Mbps || list[0].Start != 20*us {
			t.Errorf("NIC %d: a CNP with %v, %v at %v, want 23.5 Gb/s at 20us", port, rate, carried, list[0].Start)
		}
		const reserved, end = 14 + 20 + 8 + 12, 14 + 20 + 8 + 12 + 16
		got, want := f.AppendTo(nil), plain.cnps(port)[0].Frame.AppendTo(nil)
		if !bytes.Equal(got[:reserved], want[:reserved]) || !bytes.Equal(want[reserved:end], make([]byte, 16)) ||
			!bytes.Equal(got[reserved:end], []byte{1, 0, 0, 0, 0, 0, 0x5B, 0xCC, 0, 0, 0, 0, 0, 0, 0, 0}) {
			t.Errorf("NIC %d\n got %x\nwant %x and a rate", port, got, want)
		}
	}
	rec := rated.s.ProximalRecord()
	if rec.CNPs != 2 || rec.Rated != 2 {
		t.Errorf("%d CNPs, %d with a rate", rec.CNPs, rec.Rated)
	}
	reactions := 0
	for _, a := range rec.Actions {
		if a.Kind == record.ProximalReact {
			reactions++
			if a.CNPs != 1 || a.Rate != 23_500*unit.Mbps {
				t.Errorf("%d CNPs with %v are recorded", a.CNPs, a.Rate)
			}
		}
	}
	if reactions != 2 || plain.s.ProximalRecord().Rated != 0 {
		t.Errorf("%d reactions, %d rates of the switch without", reactions, plain.s.ProximalRecord().Rated)
	}
}

// Messages of forged numbers move no flow beyond what a CNP can say: Rate and Live at their ends give 1 Mb/s at
// least, and nothing overflows.
func TestProximalForgedShares(t *testing.T) {
	for _, forge := range []func(*notification.Message){
		func(m *notification.Message) { m.Live = 65535 },
		func(m *notification.Message) { m.Rate, m.Live = unit.Mbps, 65535 },
		func(m *notification.Message) { m.Rate, m.Level = (1<<32-1)*unit.Mbps, 65535 },
		func(m *notification.Message) { m.Depth, m.Threshold = 1<<32-1, 0 },
		func(m *notification.Message) { m.Depth, m.Threshold, m.Level = 0, 1<<32-1, 0 },
	} {
		b := newBench(t, leaf(byRate))
		b.checked = true
		b.burst(0, 2, 10*us, 1)
		m := congestion(1, 19*us)
		forge(&m)
		b.tell(2, 20*us, m)
		b.run(200 * us)
		for port := range 2 {
			for _, d := range b.cnps(port) {
				if rate, carried := d.Frame.CNPRate(); !carried || rate < unit.Mbps || rate > (1<<32-1)*unit.Mbps {
					t.Errorf("%+v: a CNP with %v, %v", m, rate, carried)
				}
				var again wire.Frame
				if err := wire.Decode(d.Frame.AppendTo(nil), &again); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
