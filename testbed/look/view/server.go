package view

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"path/filepath"
	"time"
)

// Server shows the runs in a folder.
type Server struct {
	list   *list
	series *cache
	mux    *http.ServeMux
	token  string
	// making holds a place for each page that is being made.
	making chan struct{}
	// over ends what goes on until the server does.
	over context.Context
}

// New makes a server of the run folders in dir, or of the run folder that dir is. Close it.
func New(dir string) (*Server, error) {
	list, err := openList(dir)
	if err != nil {
		return nil, err
	}
	token := make([]byte, 16)
	rand.Read(token) // it never fails
	s := &Server{
		list:   list,
		series: &cache{},
		mux:    http.NewServeMux(),
		token:  hex.EncodeToString(token),
		making: make(chan struct{}, 2),
		over:   context.Background(),
	}
	s.mux.HandleFunc("/{$}", s.showList)
	s.mux.HandleFunc("/run", s.showRun)
	s.mux.HandleFunc("/series", s.showSeries)
	s.mux.HandleFunc("/live", s.showLive)
	return s, nil
}

// Close gives back what New took.
func (s *Server) Close() error { return s.list.root.Close() }

// Handle has the server answer at /TOKEN/name with more, such as what a program that watches
// runs asks for. Its guard is the server's. Call it before Serve.
func (s *Server) Handle(name string, more http.Handler) { s.mux.Handle("/"+name, more) }

// Place is a run folder on the disk: its name below the folder that is shown, and its path, which
// ends in .part while it is unfinished.
type Place struct{ Name, Path string }

// Places are the run folders that are there now, the newest first, without the ones that cannot be opened.
func (s *Server) Places() ([]Place, error) {
	runs, err := s.list.runs()
	var places []Place
	for _, r := range runs {
		if r.State != damaged {
			places = append(places, Place{r.Name, s.pathOf(r)})
		}
	}
	return places, err
}

func (s *Server) pathOf(r *run) string { return filepath.Join(s.list.dir, filepath.FromSlash(r.Name)) }

// timeToRead and timeToWrite bound the time of a request, and of an answer other than a stream.
const (
	timeToRead  = 10 * time.Second
	timeToWrite = 5 * time.Minute
)

// Serve answers on loopback, at a port that is free if port is 0, until ctx ends. It calls ready
// with the address of the list once there is one to be asked. What goes wrong inside is written
// to trouble.
func (s *Server) Serve(ctx context.Context, port int, ready func(address string), trouble io.Writer) error {
	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	port = listener.Addr().(*net.TCPAddr).Port
	over, end := context.WithCancel(ctx)
	defer end()
	s.over = over
	server := &http.Server{
		Handler:           s.Handler(port),
		ReadHeaderTimeout: timeToRead,
		ReadTimeout:       timeToRead,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(trouble, "rocelab: ", 0),
	}
	closed := context.AfterFunc(ctx, func() {
		soon, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(soon) != nil {
			server.Close()
		}
	})
	defer closed()
	ready(fmt.Sprintf("http://127.0.0.1:%d/%s/", port, s.token))
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler answers the requests to the server at a port of loopback.
func (s *Server) Handler(port int) http.Handler {
	return &guard{
		hosts: []string{fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("localhost:%d", port)},
		token: s.token,
		next:  s.mux,
	}
}

// Token returns the beginning of every address.
func (s *Server) Token() string { return s.token }
