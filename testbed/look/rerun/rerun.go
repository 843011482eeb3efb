// Package rerun compares repeated runs with the ones in a run folder, and reports whether they are the same to the
// byte, or the differences and their reasons.
package rerun

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Comparison is the result of a rerun.
type Comparison struct {
	// Runs and Files are the numbers compared. The host's part, host.json and the files that it lists, does not count,
	// and the manifest itself is compared by content.
	Runs, Files int
	// Causes are differences of what decides a run: build, models, algorithms and their
	// parameters. Results may be the same for all that.
	Causes []string
	// Differences are the differences of the results, a line for each run that differs and one for files outside runs.
	// Empty if all of them are the same to the byte.
	Differences []string
	// Skipped are runs of the folder that cannot be compared, with the reason.
	Skipped []string
	// Uncovered are files of the folder or pack that the rerun does not vouch for, with the reason.
	Uncovered []string
	// Pages are the pages for people that were made again and are the same, by their names.
	Pages []string
}

// Same reports whether all that was compared is the same to the byte.
func (c *Comparison) Same() bool { return len(c.Differences) == 0 && c.Runs > 0 }

// Compare holds the manifest of a rerun to that of the folder.
func Compare(before, after *result.Manifest) *Comparison {
	c := &Comparison{Causes: Causes(before, after)}
	if before.Build.ID == after.Build.ID && !reflect.DeepEqual(before.Build, after.Build) {
		c.Differences = append(c.Differences, "the manifest has another version, commit or modules for this very build")
	}
	left := map[string]bool{} // the folders of runs that are not compared
	for _, run := range before.Runs {
		i := slices.IndexFunc(after.Runs, func(other result.RunID) bool { return other.Folder == run.Folder })
		switch {
		case run.WasInterrupted():
			c.Skipped = append(c.Skipped, run.Folder+": it was interrupted")
		case i < 0:
			c.Skipped = append(c.Skipped, run.Folder+": the rerun has no such run")
		default:
			c.Runs++
			c.compareRun(before, after, run, after.Runs[i])
			continue
		}
		left[run.Folder] = true
	}
	c.compareFiles(before, after, "", left)
	return c
}

// compareRun compares a run's trace and files.
func (c *Comparison) compareRun(before, after *result.Manifest, old, made result.RunID) {
	for _, cause := range CausesOfRun(old, made) {
		c.Causes = append(c.Causes, old.Folder+": "+cause)
	}
	for _, entry := range []struct{ name, was, is string }{
		{"verdict", old.Verdict, made.Verdict},
		{"algorithm", old.Algorithm, made.Algorithm},
		{"variant", old.Variant, made.Variant},
	} {
		if entry.was != entry.is {
			c.Differences = append(c.Differences, fmt.Sprintf("%s: its %s is %q, and the manifest has %q", old.Folder,
				entry.name, entry.is, entry.was))
		}
	}
	known := len(c.Differences)
	c.compareFiles(before, after, old.Folder, nil)
	if old.Trace == made.Trace {
		return
	}
	text := fmt.Sprintf("%s: its trace is %s, and was %s", old.Folder, made.Trace, old.Trace)
	if len(c.Differences) > known {
		_, files, _ := strings.Cut(c.Differences[known], ": ")
		c.Differences = c.Differences[:known]
		text += "; " + files
	}
	c.Differences = append(c.Differences, text)
}

// compareFiles compares the files below a run's folder, or, if that is "", files outside any run's.
func (c *Comparison) compareFiles(before, after *result.Manifest, folder string, left map[string]bool) {
	list := func(m *result.Manifest) map[string]string {
		files := map[string]string{}
		for _, file := range m.Files {
			if runOf(m, file.Name) == folder {
				files[strings.TrimPrefix(file.Name, folder+"/")] = file.SHA256
			}
		}
		return files
	}
	old, made := list(before), list(after)
	names := map[string]bool{}
	for name := range old {
		names[name] = true
	}
	for name := range made {
		names[name] = true
	}
	var other, gone, added []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, had := old[name]
		is, has := made[name]
		switch {
		case left[path.Dir(name)]:
			continue
		case !has:
			gone = append(gone, name)
		case !had:
			added = append(added, name)
		case was != is:
			other = append(other, name)
		}
		c.Files++
	}
	var parts []string
	for _, part := range []struct {
		names []string
		says  string
	}{{other, "differs"}, {gone, "was not made again"}, {added, "was not there"}} {
		if len(part.names) > 0 {
			parts = append(parts, strings.Join(part.names, ", ")+" "+part.says)
		}
	}
	if len(parts) == 0 {
		return
	}
	if folder == "" {
		folder = "files of all runs"
	}
	c.Differences = append(c.Differences, folder+": "+strings.Join(parts, "; "))
}

// runOf is the folder of the run that a file is of, "" for none.
func runOf(m *result.Manifest, name string) (folder string) {
	for _, run := range m.Runs {
		if strings.HasPrefix(name, run.Folder+"/") && len(run.Folder) > len(folder) {
			folder = run.Folder
		}
	}
	return folder
}
