package campaign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Try is an attempt at a run: data of the host, which is therefore not in the results. It is written twice, at the
// beginning and at the end; if the end is missing, its process was killed or goes on.
type Try struct {
	ID    ID        `json:"id"`
	Host  string    `json:"host"`
	Began time.Time `json:"began"`
	// Exit is the exit code; nil at the begin.
	Exit *int `json:"exit,omitempty"`
	// WallSeconds is its wall-clock duration.
	WallSeconds float64 `json:"wall_s,omitempty"`
	// Published is set if this attempt produced the result.
	Published bool `json:"published,omitempty"`
}

// Log is the file to which one process writes its tries: its own, as a shared folder may lose lines that two machines
// append to one file.
type Log struct {
	file *os.File
	host string
}

func (s *Store) logs() string { return filepath.Join(s.dir, "log") }

// OpenLog begins the log of this process. The caller closes it.
func (s *Store) OpenLog() (*Log, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.logs(), 0o777); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-%d-%d.jsonl", host, os.Getpid(), time.Now().Unix())
	file, err := os.OpenFile(filepath.Join(s.logs(), name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	return &Log{file, host}, err
}

// Write appends a try, with the name of this host.
func (l *Log) Write(t Try) error {
	t.Host = l.host
	line, err := json.Marshal(&t)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	return err
}

// Close ends the log.
func (l *Log) Close() error { return l.file.Close() }

// Tries reads the tries, by run. A truncated line is left out, as its try has no end either.
func (s *Store) Tries() (map[ID][]Try, error) {
	all := map[ID][]Try{}
	err := ReadLines(s.logs(), func(t Try) { all[t.ID] = append(all[t.ID], t) })
	return all, err
}

// Made returns the attempt that produced a run's result, the zero value if none is known; count is the number of
// attempts.
func Made(tries []Try) (made Try, count int) {
	for _, t := range tries {
		if t.Exit == nil {
			count++
		}
		if t.Published {
			made = t
		}
	}
	return made, count
}
