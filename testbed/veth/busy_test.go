package veth

import (
	"os"
	"testing"
)

func TestBusyWhileARunHoldsTheLock(t *testing.T) {
	t.Setenv("ROCELAB_RUN", t.TempDir())
	s := &State{Name: "x"}
	if err := os.Mkdir(s.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	if s.Busy() {
		t.Error("busy before the first run")
	}
	lock, err := s.lock()
	if err != nil {
		t.Fatal(err)
	}
	if !s.Busy() {
		t.Error("idle during a run")
	}
	if got := s.runner(); got != os.Getpid() {
		t.Errorf("process %d holds the lock, want %d", got, os.Getpid())
	}
	if _, err := s.lock(); err == nil {
		t.Error("two runs hold the lock")
	}
	lock.Close()
	if s.Busy() {
		t.Error("busy after the run")
	}
	again, err := s.lock()
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
