package switchd

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// accounted counts queues and buffers in the bytes of bare48, which has 1048 for a frame of 1058.
func accounted(c *Config) {
	c.Profile.Accounted = true
	for i := range c.Ports {
		c.Ports[i].Accounting = wire.Bare48
	}
}

// A queue of ten packets is 10480 B long if it is counted as accounted, which is a threshold that it may reach without
// a mark, and 10580 B if frames are counted. Ports and queues still count sent bytes in frames. Tier: -short. Red:
// without QueuedOf in Switch.take, and without frame.Len() in Switch.send.
func TestAccountedQueue(t *testing.T) {
	for _, is := range []struct {
		accounted bool
		length    unit.Bytes
		marked    uint64
	}{{false, 10 * frameLen, 1}, {true, 10 * 1048, 0}} {
		t.Run(fmt.Sprintf("accounted=%v", is.accounted), func(t *testing.T) {
			config := star(3)
			accounted(&config)
			config.Profile.Accounted = is.accounted
			config.Profile.ECN[3].Kmin, config.Profile.ECN[3].Kmax = 10*1048, 10*1048
			config.Profile.ECN[3].AtEnqueue = true
			b := newBench(t, config)
			for psn := range uint32(12) {
				b.arrive(0, 2*us, data(1, psn)) // one goes at once, and the last finds ten that wait
			}
			b.run(2 * us)
			if got := b.s.ports[1].queues[3].bytes; got != is.length*11/10 {
				t.Errorf("accounted %t: eleven packets wait with %v, want %v", is.accounted, got, is.length*11/10)
			}
			if frames, bytes := b.s.Resident(); frames != 11 || bytes != 11*frameLen {
				t.Errorf("accounted %t: %d frames and %d bytes are in the switch", is.accounted, frames, bytes)
			}
			b.run(4 * us)
			if err := b.s.CheckInvariants(); err != nil {
				t.Error(err)
			}
			r := b.record(1)
			if q := r.Queues.At(3); q.Marked != is.marked || q.MaxBytes != is.length*11/10 || q.Bytes != 12*frameLen {
				t.Errorf("accounted %t: %d marks, want %d; longest %v, sent %d B", is.accounted, q.Marked, is.marked,
					q.MaxBytes, q.Bytes)
			}
			if r.TxBytes != 12*frameLen || r.Busy != 12*83*unit.Nanosecond {
				t.Errorf("accounted %t: sent %d B in %v", is.accounted, r.TxBytes, r.Busy)
			}
			if class := b.record(0).Classes.At(3); class.IngressMax != is.length*11/10 {
				t.Errorf("accounted %t: the account held up to %v", is.accounted, class.IngressMax)
			}
		})
	}
}
