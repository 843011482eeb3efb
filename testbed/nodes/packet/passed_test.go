package packet

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// childVariable is set if this process is the child of TestPassedSocketNeedsNoPrivilege.
const childVariable = "PACKET_TEST_CHILD"

// A daemon is passed its sockets: it holds no capability and does not live in
// the namespace of the interface.
func TestPassedSocketNeedsNoPrivilege(t *testing.T) {
	c := newCable(t, 1500)
	here := c.port(c.b, Geometry{Frame: 1500, Receive: 100, Send: 1})
	passed := os.NewFile(uintptr(c.socket(c.a, small)), "socket")
	child := exec.Command(os.Args[0], "-test.run=^TestChildOfPassedSocket$", "-test.v")
	child.Env = append(os.Environ(), childVariable+"=1")
	child.ExtraFiles = []*os.File{passed}
	var out bytes.Buffer
	child.Stdout, child.Stderr = &out, &out
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	passed.Close()
	want := make([]byte, 1000)
	for i := range 100 {
		fill(want, uint64(i))
		if d := differ(receive(t, here), want); d != "" {
			t.Errorf("frame %d: %s", i, d)
		}
		here.Release()
	}
	send(t, here, want)
	flush(t, here)
	if err := child.Wait(); err != nil {
		t.Errorf("child: %v\n%s", err, out.Bytes())
	}
}

func TestChildOfPassedSocket(t *testing.T) {
	if os.Getenv(childVariable) == "" {
		t.Skip("only as a child of TestPassedSocketNeedsNoPrivilege")
	}
	pinned(t) // capabilities are a thread's own
	var none [2]unix.CapUserData
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("lo", small); !errors.Is(err, unix.EPERM) {
		t.Fatalf("Open without a capability: %v, want EPERM", err)
	}
	const firstExtraFile = 3
	p, err := Map(firstExtraFile, small)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name() != "left" {
		t.Errorf("the port is called %q, want left", p.Name())
	}
	frame := make([]byte, 1000)
	for i := range 100 {
		fill(frame, uint64(i))
		send(t, p, frame)
	}
	flush(t, p)
	if d := differ(receive(t, p), frame); d != "" {
		t.Error(d)
	}
	p.Release()
	if _, err := p.Statistics(); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
