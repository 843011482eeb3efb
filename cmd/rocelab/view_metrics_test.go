package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// Below the token are the runs for Prometheus and a dashboard for Grafana, and a file has their address as long as they
// are there.
func TestViewForPrometheus(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--variant", "fixed")
	ctx, end := context.WithCancel(t.Context())
	defer end()
	said, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- execute(ctx, []string{"view", "--prometheus", "rocelab.json"}, out, io.Discard)
		out.Close()
	}()
	line := make([]byte, 200)
	n, err := said.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSuffix(string(line[:n]), "\n")
	get := func(name string) string {
		t.Helper()
		answer, err := http.Get(address + name)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v: %s", name, answer.Status, err, text)
		}
		return string(text)
	}
	if text := get("metrics"); !strings.Contains(text, "\nrocelab_ended{run=\"incast-1\",variant=\"fixed\",seed=\"1\"") {
		t.Errorf("the run is not in\n%s", text)
	}
	if text := get("dashboard.json"); !json.Valid([]byte(text)) {
		t.Errorf("the dashboard is no JSON:\n%s", text)
	}
	where := func() string {
		text, err := os.ReadFile("rocelab.json")
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	if got, token := where(), strings.SplitN(address, "/", 4)[3]; !strings.Contains(got, "/"+token+"metrics") {
		t.Errorf("the file says %s", got)
	}
	end()
	if code := <-ended; code != 0 {
		t.Errorf("it ended with %d", code)
	}
	if got := where(); got != "[]\n" {
		t.Errorf("left is %s", got)
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(4, "view", "--prometheus", "folder")
	s.says(s.stderr, "--prometheus: folder is a folder, a pipe or a device; expected a file")
}
