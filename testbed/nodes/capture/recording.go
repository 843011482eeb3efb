package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Source gives access to a run in progress.
type Source interface {
	// Now returns an instant before which no further frame can start.
	Now() unit.Time
	// Announced returns the number of frames sent on a link, including all that started before Now.
	Announced(fabric.LinkID) uint64
	// Over reports whether the run is over, and when it ended.
	Over() (end unit.Time, why engine.Stop, over bool)
	// Aborted reports whether the run was given up.
	Aborted() bool
}

var _ Source = (*lockstep.Page)(nil)

// Run is a run to record.
type Run struct {
	Source
	// Number is the number in the trailers of its frames.
	Number uint32
	// Ports are the captured ports as the run's plan has them, in the order of
	// the places that were tapped.
	Ports []pcapng.Port
	// Whole is set if the tap was open before the run began, so that each frame that is not seen is missing.
	Whole bool
	// Edges is set if foreign frames may be among the run's: any frame counts as one.
	Edges bool
}

// Summary is the account of the frames.
type Summary struct {
	// Frames are in the file: a frame that passes two captured ports is twice.
	Frames uint64
	// Until is the instant up to which the file is whole, except for Missed. It does not have frames that passed at or
	// after it.
	Until unit.Time
	// Missed frames were sent and not seen, mostly since the rings were full.
	Missed uint64
	// Foreign frames have no trailer: something else sends on the link.
	Foreign uint64
	// Undecodable frames have a trailer but do not decode as a frame of the models: never in a run with edges.
	Undecodable uint64
}

// ErrAborted is the error of recording a run that was given up. The file is whole up to the Summary's Until.
var ErrAborted = errors.New("the run was given up")

const (
	// rest is the pause after a look that found frames: the run has better use
	// for the processor than to wake the tap for each.
	rest = 5 * time.Millisecond
	// idle bounds the wait for frames, so that the end of a run is seen.
	idle = 50 * time.Millisecond
	// patience is the maximum delay of an announced frame. It is normally there when it is announced.
	patience = 2 * time.Second
	// lastPatience is the same when the run was given up, for all ports together: its
	// daemons may be gone, and what they noted may be anything.
	lastPatience = 200 * time.Millisecond
)

// Record writes the frames of a run to w as pcapng until the run is over or ctx is done, which is not an error; the
// file is whole in every case. Frames that start or arrive at the end or later are left out.
func (t *Tap) Record(ctx context.Context, run Run, w io.Writer) (Summary, error) {
	r := &recording{Tap: t, run: run}
	ports := make([]pcapng.Port, len(run.Ports))
	for i, p := range run.Ports {
		// Each direction at each port is a separate link to the recorder: both
		// ends of a link may be tapped, and each shows what it saw.
		ports[i] = p
		ports[i].Out, ports[i].In = fabric.LinkID(2*i), fabric.LinkID(2*i+1)
		r.streams = append(r.streams, stream{link: p.Out, known: run.Whole}, stream{link: p.In, known: run.Whole})
	}
	if len(ports) != len(t.places) {
		return r.summary, fmt.Errorf("capture: %d ports of a plan at %d places", len(ports), len(t.places))
	}
	var err error
	if r.recorder, err = pcapng.NewRecorder(w, ports); err != nil {
		return r.summary, err
	}
	for over := false; !over && err == nil; {
		over, err = r.poll(ctx.Err() != nil)
	}
	r.summary.Frames = r.recorder.Written()
	return r.summary, err
}

// recording is a run being recorded.
type recording struct {
	*Tap
	run      Run
	recorder *pcapng.Recorder
	streams  []stream // two for each port: what it sends, what it receives
	frame    wire.Frame
	summary  Summary
	seen     uint64 // frames taken off the rings
}

// poll records what has come, and reports whether that was all.
func (r *recording) poll(stop bool) (over bool, err error) {
	bound, _, over := r.run.Over()
	aborted := !over && r.run.Aborted()
	if !over {
		bound = r.run.Now()
	}
	// The bound first, then the counts: they cover what started before it.
	for i := range r.streams {
		r.streams[i].want = r.run.Announced(r.streams[i].link)
	}
	before := r.seen
	deadline := time.Time{}
	if aborted {
		deadline = time.Now().Add(lastPatience)
	}
	if err := r.read(deadline); err != nil {
		return true, errors.Join(err, r.recorder.Close(bound))
	}
	r.summary.Until = bound
	if over || stop || aborted {
		err := r.recorder.Close(bound)
		if err == nil && aborted {
			err = ErrAborted
		}
		return true, err
	}
	if err := r.recorder.Sync(bound); err != nil {
		return true, err
	}
	if r.seen != before {
		time.Sleep(rest)
		return false, nil
	}
	return false, r.wait(idle)
}

// wait waits until a frame is there, at most for the given time.
func (r *recording) wait(most time.Duration) error {
	if _, err := unix.Poll(r.polls, int(most.Milliseconds())); err != nil && err != unix.EINTR {
		return fmt.Errorf("capture: wait for frames: %w", err)
	}
	for i := range r.polls {
		if r.polls[i].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) == 0 {
			continue
		}
		if err := r.ports[i].Await(time.Millisecond); err != nil {
			return r.portError(i, err)
		}
	}
	return nil
}

// read empties the rings. It then waits for announced frames that are not there yet, until they are certain not to
// come, or until the deadline if there is one.
func (r *recording) read(deadline time.Time) error {
	for i := range r.ports {
		until := deadline
		if until.IsZero() {
			until = time.Now().Add(patience)
		}
		for {
			empty, err := r.drain(i)
			if err != nil {
				return err
			}
			if r.streams[2*i].complete() && r.streams[2*i+1].complete() {
				break
			}
			if !empty {
				continue
			}
			s, err := r.ports[i].Statistics()
			if err != nil {
				return err
			}
			if s.Drops > 0 || time.Now().After(until) {
				// The dropped frame may not be the missing one; but that would be on its way here since it was
				// announced, and come now.
				if _, err := r.drain(i); err != nil {
					return err
				}
				r.skip(2 * i)
				r.skip(2*i + 1)
				break
			}
			if err := r.ports[i].Await(time.Millisecond); err != nil {
				return r.portError(i, err)
			}
		}
	}
	return nil
}

// drain reads the ring of port i, but at most one ring's worth, lest other rings fill up meanwhile; empty reports
// whether that was all.
func (r *recording) drain(i int) (empty bool, err error) {
	p := r.ports[i]
	for range slots {
		b := p.Next()
		if b == nil {
			return true, r.portError(i, p.Await(0))
		}
		r.seen++
		k := 2*i + 1
		if p.Outgoing() {
			k = 2 * i
		}
		bytes, t, ok := packet.Cut(b)
		if !ok {
			r.summary.Foreign++
		} else if t.Run == r.run.Number {
			r.accept(k, t, bytes)
		}
		p.Release()
	}
	return false, nil
}

// portError names the port in an error.
func (r *recording) portError(i int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("capture at %s: %w", r.places[i].Name, err)
}
