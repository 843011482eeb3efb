package daemon

import (
	"fmt"
	"net"
	"os"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/internal/control"
)

// mostConnections bounds the connections open at once; more are closed immediately.
const mostConnections = 64

// turnWait is how long an order waits for the end of a run whose testbed is gone. A request during a run is refused
// with that reason.
const turnWait = 5 * time.Second

// server takes the connections of one control socket. Each has its own goroutine, so that a silent one does not block
// others; one run goes on at a time.
type server struct {
	host *Host
	turn chan struct{} // full while a run goes on
	wait time.Duration
}

func newServer(host *Host) *server { return &server{host, make(chan struct{}, 1), turnWait} }

// serve takes connections for good, or with once until the last one that was made has
// ended. Its error is the listener's, or that of the last connection.
func (s *server) serve(l *net.UnixListener, once bool) error {
	fresh, failed, ended := make(chan *control.Conn), make(chan error, 1), make(chan error)
	go func() {
		for {
			c, err := accept(l)
			if err != nil {
				failed <- err
				return
			}
			fresh <- c
		}
	}()
	for open := 0; ; {
		select {
		case c := <-fresh:
			if open == mostConnections {
				c.Close()
				continue
			}
			open++
			go func() {
				err := s.host.serve(c, s)
				c.Close()
				ended <- err
			}()
		case err := <-ended:
			open--
			if once && open == 0 {
				return err
			} else if err != nil { // the testbed is gone; another one may come
				fmt.Fprintln(os.Stderr, err)
			}
		case err := <-failed:
			return err
		}
	}
}

// takeTurn reports whether a run may begin; giveTurn ends it. It waits for another run
// until that is certain to go on, or until the testbed that asks is gone.
func (s *server) takeTurn(gone <-chan struct{}) bool {
	select {
	case s.turn <- struct{}{}:
		return true
	case <-gone:
	case <-time.After(s.wait):
	}
	return false
}

func (s *server) giveTurn() { <-s.turn }
