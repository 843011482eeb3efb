package capture

import (
	"fmt"
	"io"
	"sync"

	"github.com/rocelab/rocelab/internal/crash"
)

// spoolLimit bounds what a Spool holds back.
const spoolLimit = 1 << 30

// Spool is a writer that never waits for the one behind it: it keeps data in memory until that takes it, up to 1 GB. A
// live capture needs one if a program such as Wireshark reads its output: the kernel's rings do not wait either, and
// are smaller.
type Spool struct {
	to   io.Writer
	mu   sync.Mutex
	more sync.Cond // something was added, or it is the end
	held []byte
	end  bool
	err  error
	done chan struct{}
}

// NewSpool returns a spool before to. Close it.
func NewSpool(to io.Writer) *Spool {
	s := &Spool{to: to, done: make(chan struct{})}
	s.more.L = &s.mu
	go s.forward()
	return s
}

// Write keeps a copy of b. The error is the error of an earlier write behind it, or reports that too much is held back.
func (s *Spool) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && len(s.held)+len(b) > spoolLimit {
		s.err = fmt.Errorf("who reads the capture is more than %d MB behind", spoolLimit>>20)
	}
	if s.err != nil {
		return 0, s.err
	}
	s.held = append(s.held, b...)
	s.more.Signal()
	return len(b), nil
}

// Close waits until all is written.
func (s *Spool) Close() error {
	s.mu.Lock()
	s.end = true
	s.more.Signal()
	s.mu.Unlock()
	<-s.done
	return s.err
}

// forward writes the held data.
func (s *Spool) forward() {
	defer crash.Guard()()
	defer close(s.done)
	var taken []byte
	for {
		s.mu.Lock()
		for len(s.held) == 0 && !s.end {
			s.more.Wait()
		}
		taken, s.held = s.held, taken[:0]
		s.mu.Unlock()
		if len(taken) == 0 {
			return
		}
		if _, err := s.to.Write(taken); err != nil {
			s.mu.Lock()
			s.err = err
			s.mu.Unlock()
			return
		}
	}
}
