package view

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An uninvited requester gets nothing: a page of another origin, one that points its name here, one that does not know
// the token.
func TestRefused(t *testing.T) {
	dir := runs(t)
	putRun(t, dir+"/secret-1", "secret", "pass")
	s := shown(t, dir)
	token, id := s.Token(), runOf(t, s, "secret-1").ID
	type header = map[string]string
	for _, c := range []struct {
		name, method, path, host string
		header                   header
		want                     int
	}{
		{"its own", "GET", "/TOKEN/", own, nil, 200},
		{"by the other name of loopback", "GET", "/TOKEN/", "localhost:8123", nil, 200},
		{"its own script", "GET", "/TOKEN/", own, header{"Origin": "http://" + own, "Sec-Fetch-Site": "same-origin"}, 200},
		{"a link that is followed", "GET", "/TOKEN/", own,
			header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"without the last slash", "GET", "/TOKEN", own, nil, 302},
		{"another host", "GET", "/TOKEN/", "evil.example", nil, 403},
		{"a name that points here", "GET", "/TOKEN/", "evil.example:8123", nil, 403},
		{"another port", "GET", "/TOKEN/", "127.0.0.1:8124", nil, 403},
		{"no host", "GET", "/TOKEN/", "", nil, 403},
		{"another origin", "GET", "/TOKEN/", own, header{"Origin": "http://evil.example"}, 403},
		{"an origin that is hidden", "GET", "/TOKEN/", own, header{"Origin": "null"}, 403},
		{"the origin of another port", "GET", "/TOKEN/", own, header{"Origin": "http://127.0.0.1:8124"}, 403},
		{"the other name's origin", "GET", "/TOKEN/", own, header{"Origin": "http://localhost:8123"}, 403},
		{"a script element elsewhere", "GET", "/TOKEN/", own,
			header{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"an image on another port", "GET", "/TOKEN/", own,
			header{"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"no token", "GET", "/", own, nil, 403},
		{"no token, a run", "GET", "/run?run=" + id, own, nil, 403},
		{"a wrong token", "GET", "/" + strings.Repeat("0", 32) + "/", own, nil, 403},
		{"half of the token", "GET", "/" + token[:16] + "/", own, nil, 403},
		{"the token elsewhere", "GET", "/x/?token=" + token, own, nil, 403},
		{"another method", "POST", "/TOKEN/", own, nil, 405},
		{"another method", "HEAD", "/TOKEN/", own, nil, 405},
		{"a preflight", "OPTIONS", "/TOKEN/", own, header{"Origin": "http://evil.example"}, 403},
		{"nothing of that name", "GET", "/TOKEN/nothing", own, nil, 404},
	} {
		t.Run(fmt.Sprintf("name=%s,method=%s", c.name, c.method), func(t *testing.T) {
			w := ask(s, c.method, strings.ReplaceAll(c.path, "TOKEN", token), c.host, c.header)
			if w.Code != c.want {
				t.Errorf("%s: %d, want %d", c.name, w.Code, c.want)
			}
			if w.Code != 200 && (strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), token) &&
				w.Code != 302) {
				t.Errorf("%s: it is refused, and told %q", c.name, w.Body)
			}
			for name := range w.Header() {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s: the answer has %s", c.name, name)
				}
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
				!strings.Contains(policy, "frame-ancestors 'none'") {
				t.Errorf("%s: the policy is %q", c.name, policy)
			}
			if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%s: the headers are %v", c.name, w.Header())
			}
		})
	}
}

// Two servers have two tokens, of 128 bits each.
func TestTokens(t *testing.T) {
	dir := runs(t)
	a, b := shown(t, dir), shown(t, dir)
	if len(a.Token()) != 32 || a.Token() == b.Token() {
		t.Errorf("%q, %q", a.Token(), b.Token())
	}
}

// It answers at the printed address, on loopback only, also for handlers mounted beside the pages, and ends with its
// context.
func TestServe(t *testing.T) {
	s := shown(t, runs(t))
	s.Handle("more", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "mounted") }))
	ctx, end := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- s.Serve(ctx, 0, func(address string) { ready <- address }, io.Discard) }()
	address := <-ready
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Errorf("the address is %s", address)
	}
	answer, err := http.Get(address + "more")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || string(text) != "mounted" {
		t.Errorf("%q, %v", text, err)
	}
	end()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it answers after its end")
	}
}
