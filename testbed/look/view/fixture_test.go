package view

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// port is that of the server in tests, and own its name.
const (
	port = 8123
	own  = "127.0.0.1:8123"
)

// runs makes an empty folder of runs.
func runs(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "runs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// put writes a file.
func put(t testing.TB, text string, parts ...string) {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// putRun writes a run folder with a variant for each verdict, named v0 and so on, each with a queue
// whose bin i, of half a microsecond, is i long.
func putRun(t testing.TB, dir, scenario string, verdicts ...string) {
	t.Helper()
	var ids, hosts, sums []any
	for i, verdict := range verdicts {
		variant := fmt.Sprintf("v%d", i)
		ids = append(ids, map[string]any{"variant": variant, "folder": variant, "seed": 1, "verdict": verdict})
		hosts = append(hosts, map[string]any{"folder": variant, "verdict": verdict})
		summary, err := json.Marshal(map[string]any{"variant": variant, "seed": 1, "verdict": verdict})
		if err != nil {
			t.Fatal(err)
		}
		var series strings.Builder
		series.WriteString("variant,seed,time_us,node,port,queue,depth_max_bytes\n")
		for bin := range 20 {
			fmt.Fprintf(&series, "%s,1,%v,s0,16,3,%d\n", variant, float64(bin)/2, bin)
		}
		for name, text := range map[string]string{"summary.json": string(summary), "series_queues.csv": series.String()} {
			put(t, text, dir, variant, name)
			sums = append(sums, map[string]any{"name": variant + "/" + name, "sha256": digest(text)})
		}
	}
	manifest, err := json.Marshal(map[string]any{"format": result.Format, "status": "complete", "scenario": scenario,
		"scenario_sha256": scenario, "models": 1, "build": map[string]any{"version": "(devel)"}, "runs": ids, "files": sums})
	if err != nil {
		t.Fatal(err)
	}
	put(t, string(manifest), dir, "manifest.json")
	host, err := json.Marshal(map[string]any{"format": result.Format, "manifest_sha256": digest(string(manifest)),
		"runs": hosts})
	if err != nil {
		t.Fatal(err)
	}
	put(t, string(host), dir, "host.json")
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// shown is a server of a folder.
func shown(t testing.TB, dir string) *Server {
	t.Helper()
	s, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// get asks for an address behind the token.
func get(t testing.TB, s *Server, address string) *httptest.ResponseRecorder {
	t.Helper()
	return ask(s, "GET", "/"+s.Token()+"/"+address, own, nil)
}

func ask(s *Server, method, path, host string, header map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+own+path, nil)
	r.Host = host
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.Handler(port).ServeHTTP(w, r)
	return w
}

// runOf is the run of a name in the list.
func runOf(t testing.TB, s *Server, name string) *run {
	t.Helper()
	list, err := s.list.runs()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("the list has no %s", name)
	return nil
}

// wants insists on a status and on words in the answer.
func wants(t testing.TB, w *httptest.ResponseRecorder, status int, words ...string) {
	t.Helper()
	if w.Code != status {
		t.Errorf("the status is %d, want %d: %.300s", w.Code, status, w.Body)
	}
	for _, word := range words {
		if !strings.Contains(w.Body.String(), word) {
			t.Errorf("the answer lacks %q: %.2000s", word, w.Body)
		}
	}
}

var _ http.Handler = (*guard)(nil)
