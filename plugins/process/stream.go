//go:build linux && !mem

package process

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

var _ carrier = (*stream)(nil)

// stream carries messages to a program that shares no memory with the host,
// such as one that is not written in Go: by the call Converse of package
// control. The page is the host's own then.
type stream struct {
	call   grpc.BidiStreamingClient[control.Batch, control.Answers]
	cancel context.CancelFunc
	// alarm cancels the call once an answer is late.
	alarm *time.Timer
	late  atomic.Bool
}

func newStream(client control.AlgorithmClient) (*stream, error) {
	ctx, cancel := context.WithCancel(context.Background())
	call, err := client.Converse(ctx, grpc.MaxCallRecvMsgSize(largestAnswer))
	if err != nil {
		cancel()
		return nil, err
	}
	s := &stream{call: call, cancel: cancel}
	s.alarm = time.AfterFunc(time.Hour, func() {
		s.late.Store(true)
		cancel()
	})
	s.alarm.Stop()
	return s, nil
}

// exchange implements carrier. As on the ring, each answer has the whole limit
// to itself, as far as the program sends them before the batch is over.
func (s *stream) exchange(link *link, limit time.Duration) error {
	s.alarm.Reset(limit)
	if err := s.converse(link, limit); err != nil {
		s.alarm.Stop()
		return err
	}
	if !s.alarm.Stop() {
		return errSilent
	}
	return nil
}

func (s *stream) converse(link *link, limit time.Duration) error {
	if err := s.call.Send(link.batch()); err != nil && s.late.Load() {
		return errSilent
	} // Recv returns another failure of Send
	for reached := link.done; reached < link.posted; {
		got, err := s.call.Recv()
		switch {
		case s.late.Load():
			return errSilent
		case status.Code(err) == codes.ResourceExhausted:
			return errTooLong
		case err != nil:
			return link.awaitExit()
		case uint64(len(got.Answers)) > link.posted-reached || len(got.Answers) == 0 && got.Problem == "":
			return fmt.Errorf("%w: %d for %d messages", errNonsense, len(got.Answers), link.posted-reached)
		}
		for _, answer := range got.Answers {
			if err := takeAnswer(&link.page.Slots[reached%ring.Slots], answer); err != nil {
				return err
			}
			reached++
			link.reached = reached
		}
		if got.Problem != "" {
			return problem(excerpt(got.Problem))
		}
		s.alarm.Reset(limit)
	}
	return nil
}

func (s *stream) close() {
	s.alarm.Stop()
	s.cancel()
}

// problem is the program's own text on why it failed.
type problem string

func (p problem) Error() string { return string(p) }

// errHungUp is a program that ends the conversation and goes on running.
var errHungUp = errors.New("it ended the conversation")

// awaitExit waits for the end of a process that has broken the connection: how
// it ended is worth knowing.
func (l *link) awaitExit() error {
	if l.pidfd >= 0 {
		if n, err := unix.Poll([]unix.PollFd{{Fd: int32(l.pidfd), Events: unix.POLLIN}}, 1000); err == nil && n == 0 {
			return errHungUp
		}
	}
	return errExited
}
