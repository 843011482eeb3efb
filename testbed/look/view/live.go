package view

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path/filepath"
	"time"

	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

//go:embed live.html
var liveText string

//go:embed live.js
var liveOwn string

var liveTemplate = template.Must(template.New("live").Parse(asset.Head + liveText))

// liveScript is the script of the page of a run that goes on.
var liveScript = scriptOf(liveOwn, "script/element.js", "script/units.js")

// scriptOf is a page's own script behind files that it shares with reports.
func scriptOf(own string, shared ...string) string {
	text := "(() => {\n\"use strict\";\n"
	for _, name := range shared {
		part, err := asset.File(name)
		if err != nil {
			panic(err)
		}
		text += part
	}
	return text + own + "})();\n"
}

// livePage is the page of a run that has not ended.
type livePage struct {
	page
	Run  *run
	Back string
}

func (s *Server) showUnfinished(w http.ResponseWriter, run *run) {
	p := livePage{pageOf(run.base(), liveScript, s.pathOf(run)), run, s.back()}
	send(w, p.Policy, func(to *bytes.Buffer) error { return liveTemplate.Execute(to, p) })
}

const (
	// lookPeriod is the interval at which a stream checks the state of its run.
	lookPeriod = 500 * time.Millisecond
	// mostInEvent is the maximum number of lines in an event.
	mostInEvent = 1000
)

// stream is the events of a run that has not ended: lines, state, trouble; and closed or gone, after which there is no
// other.
type stream struct {
	server *Server
	run    *run
	to     http.ResponseWriter
	state  state
	lines  chan progressfile.Line
	// ended has the result of following the file.
	ended     chan error
	following bool
	trouble   string
}

func (s *Server) showLive(w http.ResponseWriter, r *http.Request) {
	run, err := s.list.find(r.URL.Query().Get("run"))
	if err != nil {
		fail(w, err)
		return
	}
	if run == nil || run.State == damaged {
		http.Error(w, "there is no such run", http.StatusNotFound)
		return
	}
	ctx, end := context.WithCancel(r.Context())
	defer end()
	defer context.AfterFunc(s.over, end)()
	w.Header().Set("Content-Type", "text/event-stream")
	// A stream has no end of its own.
	http.NewResponseController(w).SetReadDeadline(time.Time{})
	str := &stream{
		server: s,
		run:    run,
		to:     w,
		lines:  make(chan progressfile.Line, mostInEvent),
		ended:  make(chan error, 1),
	}
	str.serve(ctx)
}

// serve sends events until the run has closed, or ctx ends.
func (s *stream) serve(ctx context.Context) {
	if s.run.Finished() {
		s.send("closed", "")
		return
	}
	ticker := time.NewTicker(lookPeriod)
	defer ticker.Stop()
	for more := s.look(ctx); more; {
		select {
		case <-ctx.Done():
			return
		case line := <-s.lines:
			more = s.sendLines(line)
		case err := <-s.ended:
			s.following = false
			more = s.sayTrouble(err)
		case <-ticker.C:
			more = s.look(ctx)
		}
	}
}

// look checks the state of the folder, and follows its file once it is there.
func (s *stream) look(ctx context.Context) bool {
	files := s.server.list.files(s.run)
	if _, err := files.Stat("."); err != nil {
		return s.over()
	}
	state := writerOf(files)
	if state != s.state {
		s.state = state
		if !s.send("state", state) {
			return false
		}
	}
	if !s.following && s.trouble == "" {
		// Follow opens a path: what a link leads to is not followed.
		info, err := files.root.Lstat(s.run.Name + "/" + progressfile.File)
		if err == nil && info.Mode().IsRegular() {
			s.following = true
			go s.follow(ctx)
		}
	}
	return s.comment()
}

// over reports that the folder has closed, or is gone.
func (s *stream) over() bool {
	now, err := s.server.list.find(s.run.ID)
	if err == nil && now != nil && now.Finished() {
		s.send("closed", "")
		return false
	}
	s.send("gone", "")
	return false
}

func (s *stream) follow(ctx context.Context) {
	defer crash.Guard()()
	path := filepath.Join(s.server.pathOf(s.run), progressfile.File)
	s.ended <- progressfile.Follow(ctx, path, func(line progressfile.Line) error {
		select {
		case s.lines <- line:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// sendLines sends a line and the lines waiting behind it.
func (s *stream) sendLines(first progressfile.Line) bool {
	list := []progressfile.Line{first}
	for len(list) < mostInEvent {
		select {
		case line := <-s.lines:
			list = append(list, line)
			continue
		default:
		}
		break
	}
	return s.send("lines", list)
}

// sayTrouble reports a fault of the file; a missing file is not one.
func (s *stream) sayTrouble(err error) bool {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, context.Canceled) {
		return true
	}
	s.trouble = err.Error()
	return s.send("trouble", s.trouble)
}

// send sends an event with a value as JSON, which has no end of a line in it.
func (s *stream) send(event string, value any) bool {
	text, err := json.Marshal(value)
	if err != nil {
		return false
	}
	return s.write(fmt.Sprintf("event: %s\ndata: %s\n\n", event, text))
}

// comment sends an empty comment, to find out whether a client still listens.
func (s *stream) comment() bool { return s.write(":\n\n") }

func (s *stream) write(text string) bool {
	to := http.NewResponseController(s.to)
	to.SetWriteDeadline(time.Now().Add(timeToWrite))
	if _, err := s.to.Write([]byte(text)); err != nil {
		return false
	}
	return to.Flush() == nil
}
