package cluster

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// Engines are the targets of a sweep's submission.
var Engines = []string{"local", "slurm", "kubernetes"}

// Submission is one hand-over of a sweep to an engine, as its submission.json has it.
type Submission struct {
	Folder string    `json:"-"`      // OUT/submit/001
	Engine string    `json:"engine"` // one of Engines
	Tasks  int       `json:"tasks"`  // shards
	Probe  string    `json:"probe"`
	Host   string    `json:"host"` // that it was submitted on
	Time   time.Time `json:"time"`
	Job    string    `json:"job,omitempty"`   // the engine's name of it; "" where it was only printed
	Flags  []string  `json:"flags,omitempty"` // for the engine's client
}

// NewSubmission makes the folder of a submission in that of a sweep, under the next
// free number, so that two at once get two. A probe is written to it.
func NewSubmission(out, engine string, tasks int, flags []string) (*Submission, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	folder, err := number(filepath.Join(out, "submit"))
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	s := &Submission{
		Folder: folder,
		Engine: engine,
		Tasks:  tasks,
		Probe:  rand.Text(),
		Host:   host,
		Time:   time.Now().UTC().Truncate(time.Second),
		Flags:  flags,
	}
	return s, errors.Join(
		os.Mkdir(filepath.Join(folder, "logs"), 0o777),
		os.Mkdir(tries(folder), 0o777),
		s.WriteFile("probe", s.Probe),
		s.Save())
}

// number makes the folder with the next free number.
func number(submit string) (string, error) {
	if err := os.MkdirAll(submit, 0o777); err != nil {
		return "", err
	}
	taken, err := numbers(submit)
	if err != nil {
		return "", err
	}
	next := 1
	if len(taken) > 0 {
		next = taken[len(taken)-1] + 1
	}
	for ; ; next++ {
		folder := filepath.Join(submit, fmt.Sprintf("%03d", next))
		if err := os.Mkdir(folder, 0o777); !errors.Is(err, fs.ErrExist) {
			return folder, err
		}
	}
}

// numbers are the submissions in a folder, in order.
func numbers(submit string) ([]int, error) {
	entries, err := os.ReadDir(submit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []int
	for _, entry := range entries {
		if n, err := strconv.Atoi(entry.Name()); err == nil && entry.IsDir() {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, err
}

// WriteFile writes a file of the submission.
func (s *Submission) WriteFile(name, text string) error {
	return os.WriteFile(filepath.Join(s.Folder, name), []byte(text), 0o666)
}

// Save writes the record of the submission.
func (s *Submission) Save() error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return s.WriteFile("submission.json", string(text)+"\n")
}

// Submissions reads the submissions of a sweep, the oldest first. One that is being written is left out.
func Submissions(out string) ([]*Submission, error) {
	submit := filepath.Join(out, "submit")
	taken, err := numbers(submit)
	if err != nil {
		return nil, err
	}
	var all []*Submission
	for _, n := range taken {
		s := &Submission{Folder: filepath.Join(submit, fmt.Sprintf("%03d", n))}
		text, err := os.ReadFile(filepath.Join(s.Folder, "submission.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := errors.Join(err, json.Unmarshal(text, s)); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Folder, err)
		}
		all = append(all, s)
	}
	return all, nil
}
