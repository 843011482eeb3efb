//go:build !mem

package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

// A terminal shows what a check waits for, once it waits, and the line disappears.
func TestWaitingIsSaid(t *testing.T) {
	from, to := io.Pipe()
	stop := sayWaiting(to, 0, 10*time.Second, "./cc-mine")
	text := make([]byte, 100)
	n, err := from.Read(text)
	if want := "waiting for the handshake of ./cc-mine, at most 10s"; err != nil ||
		!strings.HasSuffix(string(text[:n]), want) {
		t.Errorf("%q, %v", text[:n], err)
	}
	go stop()
	if n, err = from.Read(text); err != nil || string(text[:n]) != "\r\x1b[K" {
		t.Errorf("%q, %v", text[:n], err)
	}
	stop() // again, which writes nothing: nobody reads

	var quiet strings.Builder
	sayWaiting(&quiet, patience, time.Minute, "./cc-mine")()
	if quiet.Len() > 0 {
		t.Errorf("%q", quiet.String())
	}
}
