package view

import (
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
)

// guard refuses uninvited requests. A page of another origin can make this machine's browser request any address of
// loopback, also by a name that it points there. So the server demands its own name, refuses requests on behalf of
// another page, and demands the token. No answer has a header that lets another origin read it.
type guard struct {
	// hosts are the server's own names, with its port.
	hosts []string
	token string
	next  http.Handler
}

// ServeHTTP implements http.Handler. next sees the path behind the token.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	rest, known := g.behindToken(r.URL.Path)
	switch {
	case !slices.Contains(g.hosts, r.Host):
		refuse(w, "another host")
	case !g.own(r):
		refuse(w, "another origin")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "only GET is allowed", http.StatusMethodNotAllowed)
	case !known:
		refuse(w, "no token: take the whole address that rocelab view printed")
	case rest == "":
		http.Redirect(w, r, "/"+g.token+"/", http.StatusFound)
	default:
		inner := r.Clone(r.Context())
		inner.URL.Path, inner.URL.RawPath = rest, ""
		g.next.ServeHTTP(w, inner)
	}
}

func refuse(w http.ResponseWriter, why string) {
	http.Error(w, "refused: "+why, http.StatusForbidden)
}

// own reports whether the request comes from our own page. A browser names the requesting page: in Origin if a script
// asks, in Sec-Fetch-Site always. A link that a person follows from elsewhere is let in, if it has the token.
func (g *guard) own(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if origin != "http://"+r.Host {
			return false
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return false
		}
	}
	return true
}

// behindToken returns the path after the token, "" or from the slash on.
func (g *guard) behindToken(path string) (rest string, known bool) {
	token, rest, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	known = subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) == 1
	if more {
		rest = "/" + rest
	}
	return rest, known
}

// strictest is the policy of answers other than pages.
const strictest = "default-src 'none'; frame-ancestors 'none'"

// secure sets the headers that every answer has.
func secure(header http.Header) {
	for name, value := range map[string]string{
		"Content-Security-Policy":      strictest,
		"Cache-Control":                "no-store",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
	} {
		header.Set(name, value)
	}
}
