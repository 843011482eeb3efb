package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The command prints one line, the address of what it shows, and ends well when it is asked to.
func TestView(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--variant", "fixed")
	ctx, end := context.WithCancel(t.Context())
	said, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- execute(ctx, []string{"view"}, out, io.Discard)
		out.Close()
	}()
	line := make([]byte, 200)
	n, err := said.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSuffix(string(line[:n]), "\n")
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != 200 || !strings.Contains(string(text), "incast-1") {
		t.Errorf("%s: %s, %v: %s", address, answer.Status, err, text)
	}
	end()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("it ended with %d", code)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	if rest, err := io.ReadAll(said); err != nil || len(rest) > 0 {
		t.Errorf("it said more: %q, %v", rest, err)
	}
}

func TestViewRefuses(t *testing.T) {
	s := newShell(t)
	s.run(2, "view")
	s.says(s.stderr, "rocelab-runs")
	s.run(2, "view", "incast.yaml")
	s.says(s.stderr, "is a file")
	s.run(2, "view", ".", "--port", "65536")
	s.says(s.stderr, "--port 65536: allowed are 0 to 65535")
	s.run(2, "view", "a", "b")
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	s.run(4, "view", ".", "--port", port)
	s.says(s.stderr, "address already in use")
}
