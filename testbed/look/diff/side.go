package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Side is one side of a comparison: the runs of a run folder, or some of them.
type Side struct {
	// Name is the requested name, Dir the run folder.
	Name, Dir string
	// Origin is the folder's name in output: Dir, or the pack that it came out of.
	Origin   string
	Manifest *result.Manifest
	// Host is empty if the host's part was left out of a pack.
	Host *result.Host
	// Runs are the runs to compare.
	Runs []result.RunID
	// Resolved is the scenario with all that flags changed of it.
	Resolved []byte
}

// Open reads FOLDER, a run folder, or FOLDER/RUN, one of its runs or the runs of a variant. It fails if there is none,
// if it was changed since its run, or with the list of its runs.
func Open(name string) (*Side, error) {
	dir, run, err := locate(name)
	if err != nil {
		return nil, err
	}
	if err := result.Check(os.DirFS(dir)); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	side := &Side{Name: name, Dir: dir, Origin: dir}
	return side, side.read(run)
}

// OpenPacked reads the run folder that came out of a pack and was checked there: run is one of its runs, or "".
func OpenPacked(pack, dir, run string) (*Side, error) {
	side := &Side{Name: filepath.Join(pack, run), Dir: dir, Origin: pack}
	return side, side.read(run)
}

// Packed reports whether the folder came out of a pack.
func (s *Side) Packed() bool { return s.Origin != s.Dir }

// read reads the common files of a folder's runs, and chooses the run of that name, or variant; all for "".
func (s *Side) read(run string) (err error) {
	folder := os.DirFS(s.Dir)
	if s.Manifest, err = result.ReadManifest(folder); err == nil {
		s.Resolved, err = fs.ReadFile(folder, "resolved.yaml")
	}
	if err == nil {
		if s.Host, err = result.ReadHost(folder); s.Packed() && errors.Is(err, fs.ErrNotExist) {
			s.Host, err = &result.Host{}, nil
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Origin, err)
	}
	var names []string
	for _, r := range s.Manifest.Runs {
		names = append(names, r.Folder)
		if run == "" || r.Folder == run || strings.HasPrefix(r.Folder, run+"/") {
			s.Runs = append(s.Runs, r)
		}
	}
	switch {
	case len(names) == 0:
		return fmt.Errorf("%s has no run to compare: its status is %s", s.Origin, s.Manifest.Status)
	case len(s.Runs) == 0:
		return fmt.Errorf("%s has no run %s: it has %s", s.Origin, run, strings.Join(names, ", "))
	}
	return nil
}

// locate finds the run folder that a path leads into, and which of its runs the rest of the path names.
func locate(name string) (dir, run string, err error) {
	isFolder := func(dir string) bool { _, err := os.Stat(filepath.Join(dir, "manifest.json")); return err == nil }
	if dir, run, found := within(name, isFolder); found {
		return dir, run, nil
	}
	dir = filepath.Clean(name)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(dir + ".part"); err == nil {
			return "", "", fmt.Errorf("%s is not complete yet: its run is in progress, or was killed; its files "+
				"so far are in %[1]s.part",
				dir)
		}
		return "", "", fmt.Errorf("there is no run folder %s", dir)
	}
	return "", "", fmt.Errorf("%s %w", dir, result.ErrNoManifest)
}

// PackOf returns the pack that a path leads into, PACK or PACK/RUN, and the rest of the path; "" if it is not one.
func PackOf(name string) (pack, run string) {
	isFile := func(name string) bool { info, err := os.Stat(name); return err == nil && info.Mode().IsRegular() }
	pack, run, _ = within(name, isFile)
	return pack, run
}

// within parts a path into what has the runs, and the rest, which names some of them.
func within(name string, has func(path string) bool) (of, rest string, found bool) {
	of = filepath.Clean(name)
	const deepest = 2 // VARIANT/seed-1
	for range deepest + 1 {
		if has(of) {
			return of, rest, true
		}
		parent := filepath.Dir(of)
		if parent == of {
			break
		}
		of, rest = parent, path.Join(filepath.Base(of), rest)
	}
	return "", "", false
}

// Path is where the files of a run are.
func (s *Side) Path(run result.RunID) string {
	return filepath.Join(s.Dir, filepath.FromSlash(run.Folder))
}

// Title returns a run's name in output: its path, or its path in the pack.
func (s *Side) Title(run result.RunID) string {
	return filepath.Join(s.Origin, filepath.FromSlash(run.Folder))
}

// Runner returns the runner of a run: "mem", "veth", "live".
func (s *Side) Runner(run result.RunID) string {
	i := slices.IndexFunc(s.Host.Runs, func(other result.HostRun) bool { return other.Folder == run.Folder })
	if i < 0 {
		return ""
	}
	return s.Host.Runs[i].Runner
}

// Live reports whether a run was held to the clock on the wall.
func (s *Side) Live(run result.RunID) bool {
	return slices.ContainsFunc(s.Host.Runs, func(other result.HostRun) bool {
		return other.Folder == run.Folder && other.Timing != nil
	})
}

// Pair is two runs that are compared.
type Pair struct{ A, B result.RunID }

// match finds for each run its partner: the run of the same variant and seed; for sides with one variant each, the run
// of the same seed; for sides with one run each, the other run. Alone are the paths of runs that have none.
func match(a, b *Side) (pairs []Pair, alone []string) {
	if len(a.Runs) == 1 && len(b.Runs) == 1 {
		return []Pair{{a.Runs[0], b.Runs[0]}}, nil
	}
	anyVariant := a.variant() != "" && b.variant() != ""
	taken := map[string]bool{}
	for _, run := range a.Runs {
		i := slices.IndexFunc(b.Runs, func(other result.RunID) bool {
			return !taken[other.Folder] && other.Seed == run.Seed && (anyVariant || other.Variant == run.Variant)
		})
		if i < 0 {
			alone = append(alone, a.Title(run))
			continue
		}
		taken[b.Runs[i].Folder] = true
		pairs = append(pairs, Pair{run, b.Runs[i]})
	}
	for _, run := range b.Runs {
		if !taken[run.Folder] {
			alone = append(alone, b.Title(run))
		}
	}
	return pairs, alone
}

// variant returns the only variant of a side, "" if there are several.
func (s *Side) variant() string {
	for _, run := range s.Runs {
		if run.Variant != s.Runs[0].Variant {
			return ""
		}
	}
	return s.Runs[0].Variant
}
