package switchd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/link"
)

// rebootModel is the model of Config.Reboots, and rebootFault its name. Its end is that of the outages of the switch's
// links.
var rebootModel = fault.Model[*Switch]{Begin: func(s *Switch, _ *fault.Planned, _ *fault.Met) { reboot(s) }}

const rebootFault = "switch-reboot"

// reboot has the switch forget all that it holds and all that it knows but its settings, its routes and the counters
// that the run reads. Its links go down at the same instant, and up when it is: then it asks for no pause, and obeys
// none of before. A frame in the switch's latency is dropped when that is over, as at any port that is down.
func reboot(s *Switch) {
	for i := range s.ports {
		s.ports[i].down = true // so that no port is asked for XON
	}
	for i := range s.ports {
		for qi := range uint8(len(s.ports[i].queues)) {
			if has(s.ports[i].busy, qi) {
				clearQueue(s, &s.ports[i], qi, fabric.DropReboot)
			}
		}
		s.ports[i].turn = 0
	}
	clear(s.fwd.turns)
	clear(s.fwd.table)
	if s.bridge != nil {
		s.bridge.forget()
	}
}

// forget makes the bridge forget all stations.
func (b *bridge) forget() {
	clear(b.stations)
	for i := range b.ports {
		b.ports[i].count.Stations = 0
	}
}

// checkReboots refuses reboots during which a link of the switch stays up.
func checkReboots(c *Config) (errs []error) {
	for _, span := range c.Reboots {
		for i := range c.Ports {
			down := link.NewOutages(c.Ports[i].Outages)
			if !down.Cover(span) {
				errs = append(errs, fmt.Errorf("port %d: its link is up in the reboot from %v to %v: must be down", i, span.From,
					span.To))
			}
		}
	}
	return errs
}
