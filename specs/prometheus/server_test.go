package prometheus

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is the time limit of any wait.
const patience = 3 * time.Minute

// server is a Prometheus on loopback.
type server struct {
	t       *testing.T
	address string
}

// start starts a Prometheus with a configuration, until the test ends.
func start(t *testing.T, config string) *server {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("no prometheus: on Debian, install prometheus")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	// The port is free for a moment and may be another's in the next.
	var why string
	for range 5 {
		s := &server{t, freePort(t)}
		if why = s.run(program, file, filepath.Join(dir, "data")); why == "" {
			return s
		}
	}
	t.Fatalf("prometheus does not start: %s", why)
	return nil
}

// freePort is an address of loopback without a listener.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// run starts the program and returns when it is ready, or why it is not.
func (s *server) run(program, config, data string) (why string) {
	s.t.Helper()
	log, err := os.Create(filepath.Join(s.t.TempDir(), "log"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	c := exec.Command(program, "--config.file="+config, "--storage.tsdb.path="+data, "--web.listen-address="+s.address)
	c.Stdout, c.Stderr = log, log
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		c.Wait()
		close(over)
	}()
	s.t.Cleanup(func() {
		c.Process.Kill()
		<-over
		if text, err := os.ReadFile(log.Name()); err == nil && s.t.Failed() {
			s.t.Logf("prometheus printed:\n%s", text)
		}
	})
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		select {
		case <-over:
			text, _ := os.ReadFile(log.Name())
			return string(text)
		default:
		}
		if answer, err := http.Get("http://" + s.address + "/-/ready"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return ""
			}
		}
	}
	return "it is not ready"
}

// ask puts a question to the API and reads the data of the answer.
func (s *server) ask(path string, query url.Values, data any) error {
	answer, err := http.Get("http://" + s.address + path + "?" + query.Encode())
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	whole := struct {
		Status, Error string
		Data          any
	}{Data: data}
	if err := json.Unmarshal(text, &whole); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	if whole.Status != "success" {
		return fmt.Errorf("%s: %s", whole.Status, whole.Error)
	}
	return nil
}

// sample is one of a vector.
type sample struct {
	labels map[string]string
	value  float64
}

// vector evaluates an expression now.
func (s *server) vector(expression string) (list []sample, err error) {
	var data struct {
		Result []struct {
			Metric map[string]string
			Value  [2]any
		}
	}
	if err := s.ask("/api/v1/query", url.Values{"query": {expression}}, &data); err != nil {
		return nil, err
	}
	for _, one := range data.Result {
		text, _ := one.Value[1].(string)
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		list = append(list, sample{one.Metric, value})
	}
	return list, nil
}

// labelValues returns the values of a label in the series of an expression, as Grafana queries label_values(series,
// label).
func (s *server) labelValues(query string) (list []string, err error) {
	inner := strings.TrimSuffix(strings.TrimPrefix(query, "label_values("), ")")
	at := strings.LastIndex(inner, ", ")
	if inner == query || at < 0 {
		return nil, fmt.Errorf("%s is no label_values(SERIES, LABEL)", query)
	}
	err = s.ask("/api/v1/label/"+inner[at+2:]+"/values", url.Values{"match[]": {inner[:at]}}, &list)
	return list, err
}
