package control

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
)

func pair(t *testing.T) (a, b *Conn) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = Dial(path); err != nil {
		t.Fatal(err)
	}
	c, err := l.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	b = &Conn{UnixConn: c}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// More files than one system call takes come through in their order.
func TestMessagesCarryFiles(t *testing.T) {
	a, b := pair(t)
	var files []*os.File
	for i := range 450 {
		f, err := os.Create(filepath.Join(t.TempDir(), "f"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		f.Write([]byte{byte(i), byte(i >> 8)})
		files = append(files, f)
	}
	message := bytes.Repeat([]byte("rocelab "), 100_000)
	sent := make(chan error)
	go func() { sent <- errors.Join(a.Send(message, files...), a.Send([]byte("next"))) }()
	got, back, err := b.Receive(MaxLength, MaxFiles)
	if err != nil || !bytes.Equal(got, message) || len(back) != len(files) {
		t.Fatalf("%v: %d B, %d files", err, len(got), len(back))
	}
	defer Close(back)
	for i, f := range back {
		var two [2]byte
		if _, err := f.ReadAt(two[:], 0); err != nil || int(two[0])|int(two[1])<<8 != i {
			t.Fatalf("file %d holds % x (%v)", i, two, err)
		}
	}
	if got, _, err := b.Receive(MaxLength, MaxFiles); err != nil || string(got) != "next" {
		t.Errorf("then %q, %v", got, err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	a.Close()
	if _, _, err := b.Receive(MaxLength, MaxFiles); err != io.EOF {
		t.Errorf("after the end: %v, want EOF", err)
	}
}

func TestAbsurdLengthsAreRefused(t *testing.T) {
	a, b := pair(t)
	a.Write([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	if _, _, err := b.Receive(MaxLength, MaxFiles); err == nil {
		t.Error("a message of 4 GB passes")
	}
}

// The kernel names the sender of a message, for each end separately; without a request the sender is unknown. Tier:
// -short.
func TestTheKernelSaysWhoSent(t *testing.T) {
	a, b := pair(t)
	if err := b.AskSender(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Send([]byte("who")); err != nil {
			t.Fatal(err)
		}
		if got, _, err := b.Receive(MaxLength, 0); err != nil || string(got) != "who" || b.Sender() != os.Getpid() {
			t.Errorf("%q, %v from %d, want %d", got, err, b.Sender(), os.Getpid())
		}
	}
	if err := b.Send([]byte("you")); err != nil {
		t.Fatal(err)
	}
	if got, _, err := a.Receive(MaxLength, 0); err != nil || string(got) != "you" || a.Sender() != 0 {
		t.Errorf("%q, %v from %d, want 0", got, err, a.Sender())
	}
	a.Close()
	if _, _, err := b.Receive(MaxLength, 0); err != io.EOF {
		t.Errorf("after the end: %v, want EOF", err)
	}
}
