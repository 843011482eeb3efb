package bump

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/internal/bare"
	"github.com/rocelab/rocelab/testbed/nodes/internal/interference"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	"github.com/rocelab/rocelab/testbed/nodes/live/outside"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Outcome is the result of a wire.
type Outcome struct {
	// Total has the counts, Timing how well the clock was kept, Until the model time that was reached.
	Total  Reading
	Timing *result.Timing
	Until  unit.Time
	// Windows is the number of windows that were run.
	Windows uint64
	// Violations are frames that appeared or vanished: none, unless rocelab is broken.
	Violations []result.Finding
	// Remarks name the interfaces that an earlier run left as they are, and what to do.
	Remarks []string
}

// Run takes the interfaces (root is the folder of all testbeds, in which iface keeps their original settings), and
// carries frames between them until ctx is done or model time has reached Options.Until. Each second it calls report
// with the counts since the last time. The error names an interface that cannot be used, or that was removed meanwhile:
// the outcome then covers the time before.
func Run(ctx context.Context, root string, o *Options, report func(Reading)) (out *Outcome, err error) {
	p, err := o.Plan()
	if err != nil {
		return nil, err
	}
	n, err := newNetwork(p)
	if err != nil {
		return nil, err
	}
	l := &loop{network: n, until: unit.Never, timing: result.NewTiming(p, o.Dilation), sleep: pace.Wait}
	var guard *realtime.Guard
	if o.Realtime {
		if err := realtime.Check(); err != nil {
			return nil, err
		}
		guard, l.sleep = realtime.NewGuard(), pace.Keep
		defer func() {
			priorities := guard.End()
			if out != nil {
				out.Timing.Priorities = priorities
			}
		}()
	}
	if o.Until > 0 {
		l.until = o.Until
	}
	defer func() { err = errors.Join(err, l.close()) }()
	if err := l.open(root, o); err != nil {
		return nil, err
	}
	var ended atomic.Bool
	defer context.AfterFunc(ctx, func() { ended.Store(true) })()

	taken := interference.Read()
	timer := bare.Begin(bare.Setup{
		Beside: &l.beside,
		During: l.going.Load,
		Ready: func(tid int) error {
			if guard == nil {
				return nil
			}
			return realtime.Companion(tid) // it is compared with a thread that may not have got it either
		},
	})
	// Who prints may be slow: it must not hold the loop up.
	readings := make(chan Reading, 16)
	var gone error
	go func() {
		defer close(readings)
		runtime.LockOSThread() // it is never unlocked: the thread ends with what it was given
		if guard != nil {
			guard.Raise("the wire", os.Getpid(), unix.Gettid())
		}
		_ = pace.Sharpen() // what is late shows
		l.nap.Measure()
		l.begin(o.Dilation)
		var before Reading
		had := bare.ReadThread()
		l.run(&ended, func(now int64) {
			reading := l.read(now)
			select {
			case readings <- reading.since(&before):
				before = reading
			default: // it comes with the next one
			}
			if gone = l.missing(); gone != nil {
				ended.Store(true)
			}
		})
		l.timing.Used = bare.ReadThread().Since(had)
		l.timing.Bare = timer.End() // before the last reports, which may be slow
	}()
	for r := range readings {
		report(r)
	}
	l.timing.Host = interference.Read().Since(taken)
	out = l.outcome()
	out.Violations, err = l.violations()
	return out, errors.Join(gone, err)
}

// open takes and opens the interfaces.
func (l *loop) open(root string, o *Options) error {
	_, err := iface.PutBack(root) // what holders that were killed have left
	l.left = iface.Left(err)
	if l.drops, err = packet.OpenDrops(); err != nil {
		return err
	}
	geometry := device.Default(int(o.MTU))
	for i, name := range o.Interfaces {
		hold, err := iface.Take(root, iface.Want{Interface: name, MTU: int(o.MTU), Force: o.Force})
		if err != nil {
			return err
		}
		l.holds[i] = hold
		fd, err := device.Open(name, geometry)
		if err != nil {
			return err
		}
		if l.devices[i], err = device.Map(fd, geometry); err != nil {
			return errors.Join(err, unix.Close(fd))
		}
		// Until the socket was there the kernel dropped arriving frames for want of a listener.
		if l.before[i], err = packet.ReadDrops(l.drops, name); err != nil {
			return err
		}
		l.sockets[i] = unix.PollFd{Fd: int32(fd), Events: unix.POLLIN}
	}
	return nil
}

// close closes everything that was opened and restores the interfaces.
func (l *loop) close() (err error) {
	if l.drops != nil {
		err = l.drops.Close()
	}
	for i := range l.devices {
		if l.devices[i] != nil {
			err = errors.Join(err, l.devices[i].Close())
		}
		if l.holds[i] != nil {
			err = errors.Join(err, l.holds[i].Release())
		}
	}
	return err
}

// begin sets the epoch to now.
func (l *loop) begin(dilation int64) {
	l.began = pace.Now()
	l.clock = pace.Clock{Epoch: l.began, Dilation: dilation}
	for i := range l.ports {
		l.ports[i] = outside.NewPort(outside.Setup{
			Model:  l.edges[i],
			Device: l.devices[i],
			Clock:  &l.clock,
			Frames: l.out,

			Latency: l.plan.Attachment(l.plan.Devices[l.plan.Edges()[i]].Links[0], false).Tx.Latency,
			Watched: true,
			Opaque:  true,
		})
		l.edges[i].Outward, l.edges[i].Started = l.ports[i].Outward, l.ports[i].Started
	}
}

// missing names an interface that was removed.
func (l *loop) missing() error {
	for _, d := range l.devices {
		if d.Inspect() == device.Gone {
			return fmt.Errorf("interface %s was removed", d.Name())
		}
	}
	return nil
}

func (l *loop) outcome() *Outcome {
	l.timing.Lag = l.drift.Lags
	out := &Outcome{
		Total:   l.read(pace.Now()),
		Timing:  l.timing,
		Until:   l.done,
		Windows: l.windows,
		Remarks: l.left,
	}
	for i, p := range l.ports {
		had, counted := l.devices[i].Counters(), l.edges[i].Counters(l.done)
		seen := &l.timing.Edges[i]
		p.Counters().Timing(seen, &had, &counted)
		seen.Lost[result.Dropped] = l.devices[i].Settle(l.drops, l.before[i])
		l.timing.ClockSteps = max(l.timing.ClockSteps, p.Counters().ClockSteps)
	}
	return out
}
