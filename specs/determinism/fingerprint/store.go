package fingerprint

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/model"
)

// Store is a text file of traces. Its first line names the version of the models
// that they are of, each other one has the traces of a run and, after two spaces,
// what was run.
type Store struct {
	// Path is the file, from the folder of the test.
	Path string
	// Rewrite is the command that writes it anew.
	Rewrite string
}

// Read returns the version of the models and the traces by what was run. A file
// that is not there is empty.
func (s Store) Read() (version int, traces map[string]string, err error) {
	text, err := os.ReadFile(s.Path)
	if err != nil && !os.IsNotExist(err) {
		return 0, nil, err
	}
	traces = map[string]string{}
	first, rest, _ := strings.Cut(string(text), "\n")
	fmt.Sscanf(first, "models %d", &version)
	for line := range strings.Lines(rest) {
		trace, run, _ := strings.Cut(strings.TrimSpace(line), "  ")
		traces[run] = trace
	}
	return version, traces, nil
}

// Check compares traces of today with those that are stored, of which they may be
// a part. Its error says what to do.
func (s Store) Check(now map[string]string) error {
	version, old, err := s.Read()
	if err != nil {
		return err
	}
	var changed, unknown []string
	for _, run := range slices.Sorted(maps.Keys(now)) {
		switch {
		case old[run] == "":
			unknown = append(unknown, run)
		case old[run] != now[run]:
			changed = append(changed, fmt.Sprintf("%s\n    has %s\n    had %s", run, now[run], old[run]))
		}
	}
	switch {
	case len(changed) > 0 && version == model.Version:
		return fmt.Errorf("other traces than version %d of the models has:\n  %s\nIf that is meant, raise Version in "+
			"testbed/model/version.go, run\n  %s\nand say why in the commit", version, strings.Join(changed, "\n  "), s.Rewrite)
	case version != model.Version:
		return fmt.Errorf("%s is of version %d of the models, and this is %d: run\n  %s\nand say why the traces change in "+
			"the commit", s.Path, version, model.Version, s.Rewrite)
	case len(unknown) > 0:
		return fmt.Errorf("%s has no traces of\n  %s\nrun\n  %s", s.Path, strings.Join(unknown, "\n  "), s.Rewrite)
	}
	return nil
}

// Write stores the traces of today, which are all that there are. It refuses
// traces that change while the models' version does not.
func (s Store) Write(now map[string]string) error {
	version, old, err := s.Read()
	if err != nil {
		return err
	}
	for run, trace := range now {
		if old[run] != "" && old[run] != trace && version == model.Version {
			return s.Check(now)
		}
	}
	text := fmt.Appendf(nil, "models %d\n", model.Version)
	for _, run := range slices.Sorted(maps.Keys(now)) {
		text = fmt.Appendf(text, "%s  %s\n", now[run], run)
	}
	return os.WriteFile(s.Path, text, 0o644)
}
