package prometheus

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/tier"
)

// scrape reads the exposition of a server whose address is in the file: numbers by series.
func scrape(file string) (map[string]float64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []struct {
		Targets []string
		Labels  map[string]string
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 1 {
		return nil, fmt.Errorf("%s: %v: %s", file, err, text)
	}
	answer, err := http.Get("http://" + list[0].Targets[0] + list[0].Labels["__metrics_path__"])
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if text, err = io.ReadAll(answer.Body); err != nil {
		return nil, err
	}
	series := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(line, ' ')
		if strings.HasPrefix(line, "#") || at < 0 {
			continue
		}
		if series[line[:at]], err = strconv.ParseFloat(strings.TrimSpace(line[at:]), 64); err != nil {
			return nil, err
		}
	}
	return series, nil
}

// onlyLive begins what a run that has ended no longer has.
var onlyLive = []string{"rocelab_model_time_limit_seconds", "rocelab_sent_bytes_total", "rocelab_queue_bytes",
	"rocelab_port_queue_bytes"}

func isOnlyLive(series string) bool {
	for _, name := range onlyLive {
		if strings.HasPrefix(series, name+"{") {
			return true
		}
	}
	return false
}

// The series of a run that goes on continue when it has ended, and counters never fall.
func TestSeriesGoOn(t *testing.T) {
	tier.Slow(t)
	program, dir := rocelab(t), t.TempDir()
	folders, file := filepath.Join(dir, "runs"), filepath.Join(dir, "where.json")
	scenario := filepath.Join(dir, "long.yaml")
	if err := os.Mkdir(folders, 0o700); err != nil {
		t.Fatal(err)
	}
	view(t, program, folders, file)
	// A run that was over before it was looked at is tried again, longer.
	for _, size := range []string{"60MB", "600MB"} {
		text := strings.NewReplacer("200KB", size, "name: incast\n", "name: long\n").Replace(incast)
		if err := os.WriteFile(scenario, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(program, "run", scenario, "--out", filepath.Join(folders, "long-"+size))
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- run.Wait() }()
		live, last := 0, map[string]float64{}
		look := func() {
			series, err := scrape(file)
			if err != nil {
				return // the server has not said yet where it is
			}
			for name, value := range series {
				counts := strings.Contains(name, "_total{") || strings.HasPrefix(name, "rocelab_model_time_seconds{")
				if was, there := last[name]; there && counts && value < was {
					t.Errorf("%s fell from %v to %v", name, was, value)
				}
				if last[name] = value; strings.HasPrefix(name, "rocelab_ended{") && value == 0 {
					live++
				}
			}
		}
		for ended := false; !ended; time.Sleep(100 * time.Millisecond) {
			look()
			select {
			case err := <-over:
				if err != nil {
					t.Fatalf("rocelab run: %v", err)
				}
				ended = true
			default:
			}
		}
		series, err := scrape(file)
		if err != nil {
			t.Fatal(err)
		}
		for name := range last {
			if _, there := series[name]; !there && !isOnlyLive(name) {
				t.Errorf("%s was there while the run went on, and is not there at its end", name)
			}
		}
		if live > 0 {
			t.Logf("%s: %d samples of runs that went on, %d series at the end", size, live, len(series))
			return
		}
	}
	t.Error("no run was seen while it went on")
}
