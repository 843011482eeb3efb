package capture_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/rocelab/rocelab/testbed/nodes/capture"
)

// A reader that takes nothing yet does not block anything, and gets all in the end.
func TestSpoolWaitsForNobody(t *testing.T) {
	r, w := io.Pipe()
	s := capture.NewSpool(w)
	var want bytes.Buffer
	for i := range 1000 {
		line := bytes.Repeat([]byte{byte(i)}, i)
		want.Write(line)
		if _, err := s.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	var got bytes.Buffer
	read := make(chan error)
	go func() {
		_, err := io.Copy(&got, r)
		read <- err
	}()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := <-read; err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%v: %d of %d B came through", err, got.Len(), want.Len())
	}
}

func TestSpoolTellsOfAFailure(t *testing.T) {
	r, w := io.Pipe()
	gone := errors.New("gone")
	r.CloseWithError(gone)
	s := capture.NewSpool(w)
	s.Write([]byte("x"))
	if err := s.Close(); !errors.Is(err, gone) {
		t.Error(err)
	}
	if _, err := s.Write([]byte("y")); !errors.Is(err, gone) {
		t.Error(err)
	}
}
