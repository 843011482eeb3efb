package campaign

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

// log is the file to which one process writes its tries: its own, as a shared folder may lose lines that two machines
// append to one file.
type log struct {
	file *os.File
	host string
}

func (s *Store) logs() string { return filepath.Join(s.dir, "log") }

// openLog begins the log of this process. The caller closes it.
func (s *Store) openLog() (*log, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.logs(), 0o777); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s-%d-%d.jsonl", host, os.Getpid(), time.Now().Unix())
	file, err := os.OpenFile(filepath.Join(s.logs(), name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	return &log{file, host}, err
}

// write appends a try, with the name of this host.
func (l *log) write(t Try) error {
	t.Host = l.host
	line, err := json.Marshal(&t)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	return err
}

// close ends the log.
func (l *log) close() error { return l.file.Close() }

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

// ReadLines gives each the lines of JSON of all files in a folder, by file name and in their
// order; a folder that is not there has none. A line that was cut off is left out: its
// process was killed as it wrote.
func ReadLines[T any](folder string, each func(T)) error {
	files, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range files {
		file, err := os.Open(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			var line T
			if json.Unmarshal(lines.Bytes(), &line) == nil {
				each(line)
			}
		}
		if err := errors.Join(lines.Err(), file.Close()); err != nil {
			return fmt.Errorf("%s: %w", entry.Name(), err)
		}
	}
	return nil
}
