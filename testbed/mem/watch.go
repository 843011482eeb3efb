package mem

import (
	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Watcher sees the frames of a run.
type Watcher interface {
	fabric.Watcher
	// Windowed is called after every window; nothing more can happen before now. While it does not return, the run
	// stands still.
	Windowed(now unit.Time)
}

// addWatch makes the engine call the watcher, if there is one.
func (o *Options) addWatch(c *engine.Config) {
	if o.Watch == nil {
		return
	}
	c.Watch = o.Watch
	next := c.Windowed
	c.Windowed = func(now unit.Time) {
		if next != nil {
			next(now)
		}
		o.Watch.Windowed(now)
	}
}
