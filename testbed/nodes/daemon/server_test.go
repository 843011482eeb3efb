package daemon

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/internal/control"
)

// serving starts a server on a socket of its own, and returns how to connect.
func serving(t *testing.T, s *server, once bool) (dial func() *control.Conn, ended chan error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	ended = make(chan error, 1)
	go func() { ended <- s.serve(l, once) }()
	return func() *control.Conn {
		c, err := control.Dial(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.SetDeadline(time.Now().Add(20 * time.Second)) // where it would hang
		return c
	}, ended
}

// ask sends an order and returns the answer.
func ask(t *testing.T, c *control.Conn, order string) *Result {
	t.Helper()
	if err := c.Send([]byte(order)); err != nil {
		t.Fatal(err)
	}
	b, _, err := c.Receive(control.MaxLength, 0)
	if err != nil {
		t.Fatal("no answer: ", err)
	}
	r, err := DecodeResult(b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A silent connection, and one with half a message, do not block others.
func TestSilentConnectionsBlockNobody(t *testing.T) {
	dial, _ := serving(t, newServer(&Host{}), false)
	dial()
	half := dial()
	if _, err := half.Write([]byte{0, 0}); err != nil {
		t.Fatal(err)
	}
	if r := ask(t, dial(), "{}"); !strings.Contains(r.Err, "protocol") {
		t.Errorf("answered %+v", r)
	}
}

// One run at a time: a request meanwhile is refused with that reason, and may be repeated.
func TestOrderDuringARunIsRefused(t *testing.T) {
	s := newServer(&Host{})
	s.wait = time.Millisecond
	dial, _ := serving(t, s, false)
	c := dial()
	s.turn <- struct{}{} // a run is under way
	if r := ask(t, c, "{}"); r.Err != "order: another run is in progress in this daemon" {
		t.Errorf("answered %+v", r)
	}
	s.giveTurn()
	if r := ask(t, c, "{}"); !strings.Contains(r.Err, "protocol") {
		t.Errorf("then answered %+v", r)
	}
}

// An order waits for the end of a run whose testbed is gone.
func TestOrderWaitsForItsTurn(t *testing.T) {
	s := newServer(&Host{})
	dial, _ := serving(t, s, false)
	s.turn <- struct{}{}
	c := dial()
	if err := c.Send([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	s.giveTurn()
	if b, _, err := c.Receive(control.MaxLength, 0); err != nil {
		t.Error(err)
	} else if r, err := DecodeResult(b); err != nil || !strings.Contains(r.Err, "protocol") {
		t.Errorf("answered %+v, %v", r, err)
	}
}

// The daemon of a run of its own ends when all who were connected are gone.
func TestOnceEndsWithTheLastConnection(t *testing.T) {
	dial, ended := serving(t, newServer(&Host{}), true)
	a, b := dial(), dial()
	ask(t, a, "{}")
	ask(t, b, "{}")
	a.Close()
	select {
	case err := <-ended:
		t.Fatal("it ended while one was connected: ", err)
	case <-time.After(20 * time.Millisecond):
	}
	ask(t, b, "{}")
	b.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on")
	}
}
