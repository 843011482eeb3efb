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

	"github.com/rocelab/rocelab/internal/exit"
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

func (s *Store) logs() string { return filepath.Join(s.dir, "log") }

// logTry appends a try, with the name of this host, to the file of this process: its own, as a shared folder may lose
// lines that two machines append to one file.
func (s *Store) logTry(t Try) (err error) {
	if t.Host, err = os.Hostname(); err != nil {
		return err
	}
	line, err := json.Marshal(&t)
	if err != nil {
		return err
	}
	s.logging.Lock()
	defer s.logging.Unlock()
	if s.log == nil {
		if err := os.MkdirAll(s.logs(), 0o777); err != nil {
			return err
		}
		name := fmt.Sprintf("%s-%d-%d.jsonl", t.Host, os.Getpid(), time.Now().Unix())
		name = filepath.Join(s.logs(), name)
		if s.log, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666); err != nil {
			return err
		}
	}
	_, err = s.log.Write(append(line, '\n'))
	return err
}

// Missing returns the places of runs that are not done, among IDs, each ID once. An invalid result under a run's name
// is set aside, which is reported by say. An error is one of the host.
func (s *Store) Missing(ids []ID, say func(text string)) (places []int, err error) {
	done, err := s.Done()
	if err != nil {
		return nil, exit.Host(err)
	}
	seen := map[ID]bool{}
	for i, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if done[id] {
			_, err := s.Row(id)
			if err == nil {
				continue
			}
			say(err.Error() + ": it is set aside, and the run is made again")
			if err := s.SetAside(id); err != nil {
				return nil, exit.Host(err)
			}
		}
		places = append(places, i)
	}
	return places, nil
}

// Make makes the result of a run, unless another process has made it, and logs the try. The store is open. The function
// makes the run with its folder at a place of the store, and returns the run's row, nil if it has none, as when it was
// interrupted, and its exit code. Make returns that row, or the one that was there; made reports which. A row that the
// store does not have is not returned. An error of its own is one of the host.
func (s *Store) Make(id ID, run func(staged string) (*Row, int, error)) (row *Row, made bool, err error) {
	if there, err := s.Row(id); there != nil && err == nil {
		return there, false, nil
	}
	began := time.Now()
	try := Try{ID: id, Began: began.UTC().Truncate(time.Millisecond)}
	if err := s.logTry(try); err != nil {
		return nil, true, exit.Host(err)
	}
	staged, err := s.Stage(id)
	if err != nil {
		return nil, true, exit.Host(err)
	}
	row, code, err := run(staged)
	if row != nil {
		if try.Published, err = s.Publish(staged, row); err != nil {
			row, err = nil, exit.Host(err)
		}
	}
	if removed := RemoveStaged(staged); err == nil {
		err = exit.Host(removed)
	}
	try.Exit, try.WallSeconds = &code, time.Since(began).Seconds()
	return row, true, errors.Join(err, exit.Host(s.logTry(try)))
}

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
