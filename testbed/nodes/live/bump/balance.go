package bump

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
)

// balance returns what appeared or vanished among the nodes until end: each frame that came in at an
// edge left at the other, was dropped for a reason, or is under way.
func (n *network) balance(end unit.Time) ([]result.Finding, error) {
	reports := make([]model.Report, len(n.built))
	for i, b := range n.built {
		reports[i] = b.Report(end, n.hashes[i])
	}
	out, err := model.Assemble(n.plan, end, slices.Values(reports))
	if err != nil {
		return nil, err
	}
	return out.Violations(), nil
}

// violations returns what appeared or vanished, among the nodes and between them and the interfaces.
func (l *loop) violations() ([]result.Finding, error) {
	list, err := l.balance(l.done)
	for i, p := range l.ports {
		s := side{port: *p.Counters(), device: l.devices[i].Counters(), waiting: uint64(p.Waiting())}
		counted := l.edges[i].Counters(l.done).Port
		s.entered = counted.SourcedFrames + uint64(l.edges[i].Ahead())
		s.left = counted.SunkFrames
		l.edges[i].InFlight(func(int, *wire.Frame) { s.left++ }) // it was lent outward when it was delivered
		list = append(list, s.violations(l.devices[i].Name())...)
	}
	return list, err
}

// side has the counts of both sides of an interface.
type side struct {
	port   outside.Counters
	device device.Counters
	// waiting frames are due later; entered and left are by the model's count.
	waiting, entered, left uint64
}

// violations compares the device's counters with the port's, and those with the model's.
func (s *side) violations(name string) (fs []result.Finding) {
	bad := func(format string, args ...any) {
		text := "interface " + name + ": " + fmt.Sprintf(format, args...)
		fs = append(fs, result.Finding{Status: result.Red, Subject: result.Conservation, Text: text})
	}
	d := &s.device
	if d.Received != s.port.Early+s.port.Received {
		bad("%d frames came in, but %d from before the run and %d were taken", d.Received, s.port.Early, s.port.Received)
	}
	if s.port.Received != s.entered {
		bad("%d frames were taken, but %d entered", s.port.Received, s.entered)
	}
	if s.left != s.port.Sent+s.waiting {
		bad("%d frames left, but %d were to be sent and %d wait", s.left, s.port.Sent, s.waiting)
	}
	if unsent := d.NoBuffer + d.TooLong + d.WhileDown + d.Refused; s.port.Sent != d.Sent+unsent {
		bad("%d frames were to be sent, but %d were and %d could not be", s.port.Sent, d.Sent, unsent)
	}
	return fs
}
