package prometheus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// incast marks, pauses and ends.
const incast = `name: incast
topology: {kind: star, hosts: 9}
switch:
  buffer: 16MB
  ecn: {kmin: 100KB, kmax: 400KB, pmax: 0.2}
traffic: [{kind: incast, senders: 8, receiver: h8, size: 200KB}]
variants: [{name: dcqcn, algorithm: dcqcn}, {name: none, algorithm: fixed}]
`

// rocelab builds the program.
func rocelab(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := program.Build(folder, []string{"cmd/rocelab"}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "rocelab")
}

// record runs a scenario into a folder.
func record(t *testing.T, program, out string) {
	t.Helper()
	scenario := filepath.Join(t.TempDir(), "incast.yaml")
	if err := os.WriteFile(scenario, []byte(incast), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(program, "run", scenario, "--out", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

// view makes rocelab view show folders, and give its address to Prometheus in a file. It returns a function that ends
// it.
func view(t *testing.T, program, folders, file string) (end func()) {
	t.Helper()
	c := exec.Command(program, "view", folders, "--prometheus", file)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	over := false
	end = func() {
		if over {
			return
		}
		over = true
		c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			t.Errorf("rocelab view: %v: %s", err, said.String())
		}
	}
	t.Cleanup(end)
	return end
}

// growing is the folder of a run that goes on for as long as lines are added.
type growing struct {
	t    *testing.T
	dir  string
	last progressfile.Line
}

// delivered is the volume that the run delivers in a model second, in bytes.
const delivered = 5e9

// grow adds a line: 200 us of model time more, and in proportion all else.
func (g *growing) grow() {
	g.t.Helper()
	l := &g.last
	n := l.Wall/200 + 1
	*l = progressfile.Line{
		Run:            "pc4",
		Runner:         "mem",
		Scenario:       "long",
		Variant:        "pc4",
		Algorithm:      "pc4",
		Seed:           1,
		Wall:           200 * n,
		Model:          200_000_000 * n,
		Until:          1e12,
		Verdict:        "PASS",
		Flows:          8,
		Completed:      int(min(n/100, 7)),
		SentBytes:      1_010_000 * n,
		DeliveredBytes: 1_000_000 * n,
		Marks:          40 * n,
		CNPs:           4 * n,
		XOFFs:          2 * n,
		Drops:          n,
		QueueBytes:     100_000 + n,
		Queues:         []progressfile.Queue{{Port: "s0:8", Bytes: 100_000 + n}},
	}
	text, err := json.Marshal(l)
	if err != nil {
		g.t.Fatal(err)
	}
	file, err := os.OpenFile(filepath.Join(g.dir, progressfile.File), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		g.t.Fatal(err)
	}
	_, err = file.Write(append(text, '\n'))
	if err := errors.Join(err, file.Close()); err != nil {
		g.t.Fatal(err)
	}
}

// configuration is that of the page, scraping more often and finding targets in a file.
func configuration(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, config, found := strings.Cut(string(text), "```yml\n")
	config, _, ended := strings.Cut(config, "```")
	for _, change := range [][2]string{{"scrape_interval: 1s", "scrape_interval: 250ms"}, {targetFile, file}} {
		found = found && strings.Contains(config, change[0])
		config = strings.ReplaceAll(config, change[0], change[1])
	}
	if !found || !ended {
		t.Fatal(page + " has no configuration with scrape_interval: 1s and " + targetFile)
	}
	return config
}

// page is the page on the configuration of Prometheus.
const page = "../../docs/prometheus.md"

// targetFile is the name there of the file with the server's address.
const targetFile = "/etc/prometheus/rocelab.json"

// A Prometheus that is configured by the page scrapes a run that has ended and one that goes on; each expression of the
// dashboard has a value, and a rate per model second is exact.
func TestDashboard(t *testing.T) {
	tier.Slow(t)
	dir, folders := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "rocelab.json")
	prometheus, program := start(t, configuration(t, file)), rocelab(t)
	record(t, program, filepath.Join(folders, "incast-1"))
	grows := &growing{t: t, dir: filepath.Join(folders, "long-1.part")}
	if err := os.Mkdir(grows.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	end := view(t, program, folders, file)

	// until adds lines to the run that goes on until there is nothing to say.
	until := func(check func() error) {
		t.Helper()
		err := errors.New("nothing was looked at")
		for end := time.Now().Add(patience); err != nil && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			grows.grow()
			err = check()
		}
		if err != nil {
			t.Error(err)
		}
	}
	wanted := readBoard(t)
	evaluated := 0
	for _, panel := range wanted.Panels {
		for _, target := range panel.Targets {
			evaluated++
			until(func() error { return prometheus.hasValue(wanted, target.Expr) })
		}
	}
	if evaluated < 20 {
		t.Errorf("only %d expressions were found", evaluated)
	}
	if !t.Failed() {
		t.Logf("%d expressions of the dashboard have values", evaluated)
	}

	rate := `rate(rocelab_delivered_bytes_total{run="long-1"}[30s]) / rate(rocelab_model_time_seconds{run="long-1"}[30s])`
	until(func() error {
		list, err := prometheus.vector(rate)
		if err != nil || len(list) != 1 || math.Abs(list[0].value/delivered-1) > 1e-9 {
			return fmt.Errorf("%s is %v, %v; expected %v", rate, list, err, delivered)
		}
		return nil
	})

	// A server that ends is scraped no more.
	end()
	until(func() error {
		if list, err := prometheus.vector("up"); err != nil || len(list) > 0 {
			return fmt.Errorf("a server that has ended is up: %v, %v", list, err)
		}
		return nil
	})
}

// hasValue reports the fault of an expression of the dashboard, for all runs.
func (s *server) hasValue(b board, expression string) error {
	values, err := s.variables(b)
	if err != nil {
		return err
	}
	asked := filled(expression, values)
	list, err := s.vector(asked)
	if err != nil {
		return fmt.Errorf("%s: %w", asked, err)
	}
	for _, one := range list {
		if !math.IsNaN(one.value) && !math.IsInf(one.value, 0) {
			return nil
		}
	}
	return fmt.Errorf("%s has no value: %v", asked, list)
}
