package view

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// listener reads the events of a run as a browser does.
type listener struct {
	t    *testing.T
	from *bufio.Reader
}

// listen asks a server on loopback for the events of a run.
func listen(t *testing.T, s *Server, id string) *listener {
	t.Helper()
	// The guard wants the name that the server has here.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = own
		s.Handler(port).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	answer, err := http.Get(server.URL + "/" + s.Token() + "/live?run=" + id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("the answer is %s, %s", answer.Status, kind)
	}
	return &listener{t, bufio.NewReader(answer.Body)}
}

// next is the next event and its value.
func (l *listener) next() (event, data string) {
	l.t.Helper()
	for {
		line, err := l.from.ReadString('\n')
		if err != nil {
			l.t.Fatalf("the stream ended: %v", err)
		}
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(line, "event: "):
			event = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			data = line[len("data: "):]
		case line == "" && event != "":
			return event, data
		}
	}
}

// wants insists that the next event is one.
func (l *listener) wants(event, data string) {
	l.t.Helper()
	if e, d := l.next(); e != event || d != data {
		l.t.Fatalf("the event is %s %s, want %s %s", e, d, event, data)
	}
}

// lines waits for a number of lines and returns the marks in them.
func (l *listener) lines(count int) string {
	l.t.Helper()
	var marks []int64
	for len(marks) < count {
		event, data := l.next()
		var list []progressfile.Line
		if err := json.Unmarshal([]byte(data), &list); event != "lines" || err != nil {
			l.t.Fatalf("the event is %s %s, %v", event, data, err)
		}
		for _, line := range list {
			marks = append(marks, line.Marks)
		}
	}
	return fmt.Sprint(marks)
}

// A run streams its lines as it writes them, and when its folder closes the page turns into the report, at the same
// address. Tier: everyday, some 2 s.
func TestLive(t *testing.T) {
	tier.Everyday(t)
	dir := runs(t)
	folder, err := result.Create(dir + "/now-1")
	if err != nil {
		t.Fatal(err)
	}
	s := shown(t, dir)
	id := runOf(t, s, "now-1.part").ID
	w := get(t, s, "run?run="+id)
	wants(t, w, 200, `data-source="live?run=`+id, `data-report="run?run=`+id)
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'self'") {
		t.Errorf("the policy is %s", policy)
	}
	l := listen(t, s, id)
	l.wants("state", `"running"`)
	telling := progressfile.NewWriter(folder.Part())
	telling.Offer(progressfile.Line{Run: "a", Verdict: "PASS", Wall: 1, Marks: 1})
	if got := l.lines(1); got != "[1]" {
		t.Errorf("the marks are %s", got)
	}
	telling.Offer(progressfile.Line{Run: "a", Verdict: "</script>\n\nevent: x", Wall: 2, Marks: 2})
	if got := l.lines(1); got != "[2]" {
		t.Errorf("the marks are %s", got)
	}
	if err := errors.Join(telling.Close(), folder.Close(result.NewManifest("now", "", 1))); err != nil {
		t.Fatal(err)
	}
	l.wants("closed", `""`)
	listen(t, s, id).wants("closed", `""`)
	if w := get(t, s, "run?run="+id); strings.Contains(w.Body.String(), "data-source") {
		t.Errorf("the page is still %s", w.Body)
	}
}

// A run that was killed has its last state; an invalid file is reported, and a link that leads elsewhere is not read.
// Tier: everyday, some 2 s.
func TestLeftLive(t *testing.T) {
	tier.Everyday(t)
	dir := runs(t)
	old := time.Now().Add(-time.Hour)
	const line = `{"run":"a","verdict":"PASS","marks":7}` + "\n"
	for name, text := range map[string]string{"good": line, "torn": "{\n", "link": ""} {
		put(t, "", dir, name+".part", "UNFINISHED.md")
		if err := os.Chtimes(dir+"/"+name+".part/UNFINISHED.md", old, old); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			put(t, text, dir, name+".part", progressfile.File)
		}
	}
	put(t, `{"run":"a","verdict":"PASS","marks":4711}`+"\n", dir, "..", "secret")
	if err := os.Symlink("../../secret", dir+"/link.part/"+progressfile.File); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	s := shown(t, dir)
	good := listen(t, s, runOf(t, s, "good.part").ID)
	good.wants("state", `"killed"`)
	if got := good.lines(1); got != "[7]" {
		t.Errorf("the marks are %s", got)
	}
	torn := listen(t, s, runOf(t, s, "torn.part").ID)
	torn.wants("state", `"killed"`)
	if event, data := torn.next(); event != "trouble" || !strings.Contains(data, "line 1") {
		t.Errorf("the event is %s %s", event, data)
	}
	link := listen(t, s, runOf(t, s, "link.part").ID)
	link.wants("state", `"killed"`)
	if err := os.RemoveAll(dir + "/link.part"); err != nil {
		t.Fatal(err)
	}
	link.wants("gone", `""`)
}
