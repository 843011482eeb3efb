package fingerprint

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/model"
)

// Store is a text file of traces. Its first line names their version of the models, each other one has the traces of a
// run and, after two spaces, the run.
type Store struct {
	// Path is the file, from the folder of the test.
	Path string
	// Rewrite is the command that writes it again.
	Rewrite string
}

// Read returns the version of the models and the traces by run. A missing file is empty.
func (s Store) Read() (version int, traces map[string]string, err error) {
	text, err := os.ReadFile(s.Path)
	if err != nil && !os.IsNotExist(err) {
		return 0, nil, err
	}
	version, traces = parse(text)
	return version, traces, nil
}

// parse reads the text of a file of traces.
func parse(text []byte) (version int, traces map[string]string) {
	traces = map[string]string{}
	first, rest, _ := strings.Cut(string(text), "\n")
	fmt.Sscanf(first, "models %d", &version)
	for line := range strings.Lines(rest) {
		trace, run, _ := strings.Cut(strings.TrimSpace(line), "  ")
		traces[run] = trace
	}
	return version, traces
}

// Changed returns the runs whose present traces differ from the stored ones, in order.
func (s Store) Changed(now map[string]string) (runs []string, err error) {
	_, old, err := s.Read()
	for _, run := range slices.Sorted(maps.Keys(now)) {
		if old[run] != "" && old[run] != now[run] {
			runs = append(runs, run)
		}
	}
	return runs, err
}

// ChangedSince are the runs that have other traces in the file than in a text of an earlier one, in order, if that is
// not of an earlier version of the models.
func (s Store) ChangedSince(earlier []byte) (runs []string, err error) {
	version, now, err := s.Read()
	if err != nil {
		return nil, err
	}
	was, old := parse(earlier)
	for _, run := range slices.Sorted(maps.Keys(now)) {
		if version <= was && old[run] != "" && old[run] != now[run] {
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// Check compares present traces with the stored ones, possibly just a part of them. Its error has the remedy.
func (s Store) Check(now map[string]string) error {
	version, old, err := s.Read()
	if err != nil {
		return err
	}
	runs, err := s.Changed(now)
	if err != nil {
		return err
	}
	var changed, unknown []string
	for _, run := range runs {
		changed = append(changed, fmt.Sprintf("%s\n    has %s\n    had %s", run, now[run], old[run]))
	}
	for _, run := range slices.Sorted(maps.Keys(now)) {
		if old[run] == "" {
			unknown = append(unknown, run)
		}
	}
	switch {
	case len(changed) > 0 && version == model.Version:
		return fmt.Errorf("other traces than version %d of the models has:\n  %s\nIf that is meant, raise Version in "+
			"testbed/model/version.go, add the rule that changed to its table, and run\n  %s", version,
			strings.Join(changed, "\n  "), s.Rewrite)
	case version != model.Version:
		return fmt.Errorf("%s is of version %d of the models, and this is %d: run\n  %s\nand say why the traces change in "+
			"the commit", s.Path, version, model.Version, s.Rewrite)
	case len(unknown) > 0:
		return fmt.Errorf("%s has no traces of\n  %s\nrun\n  %s", s.Path, strings.Join(unknown, "\n  "), s.Rewrite)
	}
	return nil
}

// Write stores the traces of today, which are all that there are. It refuses
// traces that change while the models' version does not, or one without its rule.
func (s Store) Write(now map[string]string) error {
	version, _, err := s.Read()
	if err != nil {
		return err
	}
	changed, err := s.Changed(now)
	switch {
	case err != nil:
		return err
	case len(changed) > 0 && version == model.Version:
		return s.Check(now)
	case model.Rule(model.Version) == "":
		return fmt.Errorf("version %d of the models has no rule in the table of testbed/model/version.go: write in a "+
			"sentence what changed", model.Version)
	}
	return os.WriteFile(s.Path, s.text(now), 0o644)
}

// text returns the file's text of traces.
func (s Store) text(now map[string]string) []byte {
	text := fmt.Appendf(nil, "models %d\n", model.Version)
	for _, run := range slices.Sorted(maps.Keys(now)) {
		text = fmt.Appendf(text, "%s  %s\n", now[run], run)
	}
	return text
}
