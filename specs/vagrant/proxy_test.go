package vagrant

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Hosts that only the proxy knows: a program that does not ask it finds nothing.
const (
	debianHost  = "debian.invalid"
	goHost      = "go.invalid"
	modulesHost = "modules.invalid"
)

// proxy is an HTTP proxy and the three hosts behind it: a mirror of Debian, the releases of Go, with only this host's,
// and a module proxy with the modules that this host has downloaded.
type proxy struct {
	address string // host:port

	mutex    sync.Mutex
	requests map[string]int // by host
}

// openProxy serves until the specs end.
func openProxy(goRoot, moduleCache string) *proxy {
	mirror, err := url.Parse(strings.TrimSuffix(debianMirror(), "/debian"))
	Expect(err).NotTo(HaveOccurred())
	hosts := map[string]http.Handler{
		debianHost: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(mirror)
		}},
		goHost:      releases(goRoot),
		modulesHost: http.FileServer(http.Dir(filepath.Join(moduleCache, "cache/download"))),
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	p := &proxy{address: listener.Addr().String(), requests: map[string]int{}}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mutex.Lock()
		p.requests[r.URL.Host]++
		p.mutex.Unlock()
		if host := hosts[r.URL.Host]; host != nil {
			host.ServeHTTP(w, r)
			return
		}
		http.Error(w, "no such host: "+r.URL.Host, http.StatusBadGateway)
	})}
	go server.Serve(listener)
	DeferCleanup(server.Close)
	return p
}

// asked is the number of requests for a host.
func (p *proxy) asked(host string) int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.requests[host]
}

// releases serves /dl/ as go.dev does: the list as JSON, and the archive of the
// one release that go.mod asks for, made of this host's Go.
func releases(goRoot string) http.Handler {
	text, err := os.ReadFile("../../go.mod")
	Expect(err).NotTo(HaveOccurred())
	version := string(regexp.MustCompile(`(?m)^go (\S+)$`).FindSubmatch(text)[1])
	name := fmt.Sprintf("go%s.linux-%s.tar.gz", version, runtime.GOARCH)
	archive := pack(goRoot)

	type file struct {
		Filename string `json:"filename"`
		SHA256   string `json:"sha256"`
	}
	type release struct {
		Version string `json:"version"`
		Files   []file `json:"files"`
	}
	list := []release{{Version: "go" + version, Files: []file{{name, fmt.Sprintf("%x", sha256.Sum256(archive))}}}}
	served := http.NewServeMux()
	served.HandleFunc("/dl/{$}", func(w http.ResponseWriter, r *http.Request) { json.NewEncoder(w).Encode(list) })
	served.HandleFunc("/dl/"+name, func(w http.ResponseWriter, r *http.Request) { w.Write(archive) })
	return served
}

// pack makes an archive of what a Go needs to build, as the folder go.
func pack(goRoot string) []byte {
	goRoot, err := filepath.EvalSymlinks(goRoot)
	Expect(err).NotTo(HaveOccurred())
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	Expect(err).NotTo(HaveOccurred())
	archive := tar.NewWriter(packed)
	for _, part := range []string{"VERSION", "go.env", "bin", "lib", "pkg", "src"} {
		err := filepath.WalkDir(filepath.Join(goRoot, part), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.Name() == "testdata" {
				return fs.SkipDir
			}
			return add(archive, goRoot, path, entry)
		})
		Expect(err).NotTo(HaveOccurred())
	}
	Expect(archive.Close()).To(Succeed())
	Expect(packed.Close()).To(Succeed())
	return out.Bytes()
}

// add adds one file or folder.
func add(archive *tar.Writer, goRoot, path string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	header, err := tar.FileInfoHeader(info, "")
	if err != nil {
		return err
	}
	header.Name = filepath.ToSlash(filepath.Join("go", strings.TrimPrefix(path, goRoot)))
	if err := archive.WriteHeader(header); err != nil || !info.Mode().IsRegular() {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(archive, file)
	return err
}
