package mem

import (
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// tap is the capture of some ports; nil captures nothing.
type tap struct {
	recorder *pcapng.Recorder
	err      error
}

// newTap prepares the capture that o asks for and hooks it into the engine.
func newTap(p *plan.Plan, o Options, c *engine.Config) (*tap, error) {
	if len(o.Captures) == 0 {
		return nil, nil
	}
	var ports []pcapng.Port
	for _, name := range o.Captures {
		port, err := model.CapturePort(p, name)
		if err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	recorder, err := pcapng.NewRecorder(o.CaptureTo, ports)
	if err != nil {
		return nil, err
	}
	t := &tap{recorder: recorder}
	c.Watch = recorder
	next := c.Windowed
	c.Windowed = func(now unit.Time) {
		if next != nil {
			next(now)
		}
		if err := recorder.Flush(now); err != nil && t.err == nil {
			t.err = err
		}
	}
	return t, nil
}

// close ends the capture; what would have happened at end or later is not in
// it.
func (t *tap) close(end unit.Time) error {
	if t == nil {
		return nil
	}
	if t.err != nil {
		return t.err
	}
	return t.recorder.Close(end)
}
