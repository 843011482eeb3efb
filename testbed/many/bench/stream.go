//go:build linux && !mem

package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// load is the share of the rate that a stream offers, in per cent.
const load = 95

// stream is two hosts in one thread: the first sends frames of full size, the second answers
// every other with a short one.
type stream struct {
	hosts  [2]*device.Port
	full   []byte
	answer []byte
	gap    time.Duration // between two frames of full size

	once       sync.Once
	stop, done chan struct{}
	used       time.Duration // processor time of its thread, when it has ended
}

// wireBytes returns the length of a full-size frame on the wire: 14 B of header, and 24 B around it.
func wireBytes(mtu unit.Bytes) unit.Bytes { return mtu + 14 + 24 }

// newStream opens the interfaces of the hosts.
func newStream(namespace string, mtu unit.Bytes, rate unit.BitRate) (*stream, error) {
	s := &stream{
		full:   frame(0, 1, int(mtu)+14),
		answer: frame(1, 0, 60),
		gap:    time.Duration(rate.SerialTime(wireBytes(mtu)).Nanoseconds() * 100 / load),
		stop:   make(chan struct{}),
		done:   make(chan struct{}),
	}
	err := netns.In(namespace, func() error {
		for i := range s.hosts {
			geometry := device.Default(int(mtu))
			fd, err := device.Open(fmt.Sprint("host", i), geometry)
			if err != nil {
				return err
			}
			if s.hosts[i], err = device.Map(fd, geometry); err != nil {
				unix.Close(fd)
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stream) close() {
	for _, port := range s.hosts {
		if port != nil {
			port.Close()
		}
	}
}

// frame is one from a host to another, of the type that IEEE 802 leaves to experiments.
func frame(from, to byte, length int) []byte {
	f := make([]byte, length)
	copy(f, []byte{2, 0, 0, 9, 9, to, 2, 0, 0, 9, 9, from, 0x88, 0xB5})
	return f
}

// begin starts the stream, once.
func (s *stream) begin() {
	s.once.Do(func() {
		go func() {
			defer crash.Guard()()
			defer close(s.done)
			s.run()
		}()
	})
}

// end stops the stream, and closes the interfaces.
func (s *stream) end() {
	close(s.stop)
	s.once.Do(func() { close(s.done) }) // it never began
	<-s.done
	s.close()
}

const (
	// turn is the interval at which a stream sends all frames that are due; frames missed by more than mostMissed are
	// not made up for.
	turn       = int64(100 * time.Microsecond)
	mostMissed = int64(2 * time.Millisecond)
	// firstWord is the wait of the stream after the hosts' first frames, from which the switch learns their ports.
	firstWord = int64(20 * time.Millisecond)
)

func (s *stream) run() {
	runtime.LockOSThread() // and not unlocked: its time is its own
	defer func() {
		var u unix.Rusage
		if unix.Getrusage(unix.RUSAGE_THREAD, &u) == nil {
			s.used = time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}()
	s.hosts[1].Send(s.answer)
	s.hosts[1].Flush()
	s.hosts[0].Send(s.full)
	s.hosts[0].Flush()
	next, odd := pace.Now()+firstWord, false
	last := next + int64(streamSpan/unit.Nanosecond)
	for wake := next; ; wake += turn {
		for now := pace.Now(); now < wake; now = pace.Now() {
			pace.Wait(wake, nil)
		}
		select {
		case <-s.stop:
			return
		default:
		}
		now := pace.Now()
		if now >= last {
			return
		}
		next, wake = max(next, now-mostMissed), max(wake, now-turn)
		for ; next <= now; next += int64(s.gap) {
			s.hosts[0].Send(s.full)
		}
		s.hosts[0].Flush()
		for _, _, ok := s.hosts[1].Next(); ok; _, _, ok = s.hosts[1].Next() {
			s.hosts[1].Release()
			if odd = !odd; odd {
				s.hosts[1].Send(s.answer)
			}
		}
		s.hosts[1].Flush()
		for _, _, ok := s.hosts[0].Next(); ok; _, _, ok = s.hosts[0].Next() {
			s.hosts[0].Release()
		}
	}
}

// medianLive is the run of the median p99, with how many were green.
func medianLive(all []LiveResult) LiveResult {
	green, lost, why := 0, 0, ""
	for _, r := range all {
		green += r.Green
		if r.Lost > 0 {
			lost, why = lost+r.Lost, r.WhyLost
		}
	}
	slices.SortFunc(all, func(a, b LiveResult) int { return cmp.Compare(a.P99, b.P99) })
	r := all[len(all)/2]
	r.Green, r.Runs = green, len(all)
	r.Lost, r.WhyLost = lost, why
	return r
}
