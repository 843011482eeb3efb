package rerun

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
)

// Causes returns differences in the inputs of all runs of a folder, in words: the later value, and the earlier one.
func Causes(before, after *result.Manifest) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if before.Models != after.Models {
		add("models: version %d, and was %d", after.Models, before.Models)
	}
	if before.Build.ID != after.Build.ID {
		add("build: %s, and was %s", nameOf(after), nameOf(before))
	}
	if before.Digest != after.Digest {
		add("scenario: its SHA-256 is %s, and was %s", after.Digest, before.Digest)
	}
	return list
}

// nameOf returns the name of a build for people: its version and, if that is not specific, its ID.
func nameOf(m *result.Manifest) string {
	id := m.Build.ID
	if len(id) > shortID {
		id = id[:shortID]
	}
	return m.Build.Version + " " + m.Build.Go + " " + id
}

// shortID is the printed length of a build's ID.
const shortID = 20

// CausesOfRun are differences of what decides one run: its seed, and its algorithms with their programs and
// parameters.
func CausesOfRun(old, made result.RunID) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if old.Seed != made.Seed {
		add("seed %d, and was %d", made.Seed, old.Seed)
	}
	for _, was := range old.Algorithms {
		i := slices.IndexFunc(made.Algorithms, func(other result.Algorithm) bool { return other.Name == was.Name })
		if i < 0 {
			add("%s did not run, and did", was.Name)
			continue
		}
		is := made.Algorithms[i]
		if is.Version != was.Version {
			add("%s is version %s, and was %s", was.Name, is.Version, was.Version)
		}
		if is.Form != was.Form {
			add("%s is %s, and was %s", was.Name, is.Form, was.Form)
		} else {
			addProgram(add, was, is)
		}
		for _, name := range parameters(was, is) {
			if a, b := valueOf(was, name), valueOf(is, name); a != b {
				add("%s has %s=%s, and had %s", was.Name, name, b, a)
			}
		}
	}
	for _, is := range made.Algorithms {
		if !slices.ContainsFunc(old.Algorithms, func(was result.Algorithm) bool { return was.Name == is.Name }) {
			add("%s ran, and did not", is.Name)
		}
	}
	return list
}

// addProgram adds what differs of an algorithm's program.
func addProgram(add func(string, ...any), was, is result.Algorithm) {
	switch {
	case was.Program == nil && is.Program == nil:
		return
	case is.Program == nil:
		add("%s is another program: its SHA-256 is not known, and was %s", was.Name, was.Program.SHA256)
		return
	case was.Program == nil:
		add("%s is another program: its SHA-256 is %s, and was not known", was.Name, is.Program.SHA256)
		return
	}
	if is.Program.SHA256 != was.Program.SHA256 {
		add("%s is another program: its SHA-256 is %s, and was %s", was.Name, is.Program.SHA256, was.Program.SHA256)
	}
	if is.Program.Runtime != was.Program.Runtime {
		add("%s runs on %s, and did on %s", was.Name, is.Program.Runtime, was.Program.Runtime)
	}
	for _, file := range was.Program.Files {
		switch i := indexOf(is.Program.Files, file.Name); {
		case i < 0:
			add("%s has no %s, and had", was.Name, file.Name)
		case is.Program.Files[i].SHA256 != file.SHA256:
			add("%s has another %s", was.Name, file.Name)
		}
	}
	for _, file := range is.Program.Files {
		if indexOf(was.Program.Files, file.Name) < 0 {
			add("%s has %s, and had not", was.Name, file.Name)
		}
	}
}

// indexOf is the place of a file by its name, -1 if it is not there.
func indexOf(files []result.FileSum, name string) int {
	return slices.IndexFunc(files, func(f result.FileSum) bool { return f.Name == name })
}

// parameters are the names of two algorithms' parameters, in order.
func parameters(a, b result.Algorithm) []string {
	names := map[string]bool{}
	for name := range a.Params {
		names[name] = true
	}
	for name := range b.Params {
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// valueOf is a parameter's value as people read it.
func valueOf(a result.Algorithm, name string) string {
	value, known := a.Params[name]
	switch {
	case !known:
		return "no such parameter"
	case value == nil:
		return "a value of its own"
	}
	return *value
}
