package view

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/textfile"
)

// state is the state of a run folder.
type state string

// The states of run folders, beside the states of manifests.
const (
	complete    = state(result.StatusComplete)
	interrupted = state(result.StatusInterrupted)
	failed      = state(result.StatusFailed)
	// running is a folder that is being written, killed one whose writer is gone, Unfinished one that may be either.
	running    state = "running"
	killed     state = "killed"
	Unfinished state = "unfinished"
	// damaged is a folder that is none, or not of this format.
	damaged state = "damaged"
)

// run is a run folder that was found.
type run struct {
	// ID names it in addresses. It is the same when the folder has closed.
	ID string
	// Name is its path below the folder of runs, with slashes.
	Name  string
	State state
	// Scenario is its scenario, "" if it is unknown.
	Scenario string
	// Variants are in their order, each once; Seeds is the number of seeds of the first.
	Variants []string
	Seeds    int
	// Verdicts are the words of its runs, each once, and how many have it.
	Verdicts []verdict
	Date     time.Time
	// Progress is the progress of a run that goes on, nil if it is unknown.
	Progress *progress
	// Trouble describes the fault of a damaged folder.
	Trouble string
}

// verdict is a word and how many runs have it.
type verdict struct {
	Word string
	Runs int
}

// part is the end of the name of a folder that is being written.
const part = ".part"

// Finished reports whether the folder has its name and all of its files.
func (r *run) Finished() bool {
	return r.State == complete || r.State == interrupted || r.State == failed
}

// Going reports whether the folder is being written, as far as that is known.
func (r *run) Going() bool { return r.State == running || r.State == Unfinished }

// idOf is the identifier of a folder by its name.
func idOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}

// readRun reads the list's entry of a folder that has a manifest.
func readRun(name string, files fs.FS) (*run, error) {
	r := &run{Name: name}
	opened, err := runfolder.OpenFS(files)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(files, "host.json") // it is written last
	if err != nil {
		return nil, err
	}
	manifest, host := opened.Manifest, opened.Host
	r.State, r.Scenario, r.Date = state(manifest.Status), manifest.Scenario, info.ModTime()
	if !r.Finished() {
		return nil, fmt.Errorf("manifest.json has the status %q: allowed are %s, %s, %s", manifest.Status, complete,
			interrupted, failed)
	}
	for i, run := range manifest.Runs {
		if !slices.Contains(r.Variants, run.Variant) {
			r.Variants = append(r.Variants, run.Variant)
		}
		if run.Variant == manifest.Runs[0].Variant {
			r.Seeds++
		}
		word := run.Verdict
		if i < len(host.Runs) && host.Runs[i].Folder == run.Folder {
			word = host.Runs[i].Verdict // the whole one, with the clock's part in it
		}
		r.count(word)
	}
	return r, nil
}

// count counts a verdict.
func (r *run) count(word string) {
	at := slices.IndexFunc(r.Verdicts, func(v verdict) bool { return v.Word == word })
	if at < 0 {
		r.Verdicts = append(r.Verdicts, verdict{word, 1})
		return
	}
	r.Verdicts[at].Runs++
}

// unfinishedRun returns the list's entry of a folder that is being written, or was left.
func unfinishedRun(name string, files inside) *run {
	r := &run{Name: name, State: writerOf(files)}
	if info, err := files.Stat("."); err == nil {
		r.Date = info.ModTime()
	}
	r.Scenario = scenarioOf(files)
	if r.Going() {
		r.Progress = progressOf(files)
	}
	entries, err := files.ReadDir(".")
	if err != nil {
		r.State, r.Trouble = damaged, err.Error()
	}
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != "plugins" {
			r.Variants = append(r.Variants, entry.Name())
		}
	}
	if r.Progress != nil && len(r.Variants) == 0 {
		r.Variants = r.Progress.Variants // their folders come at their end
	}
	return r
}

// longestScenario bounds the scenario of an unfinished folder, whose name is read each time that the list is shown.
// Unit: bytes.
const longestScenario = 64 << 10

// scenarioOf is the name that a scenario's text gives it, "" for none that can be read.
func scenarioOf(files fs.FS) string {
	text, err := textfile.ReadRegular(files, "scenario.yaml", longestScenario)
	if err != nil {
		return ""
	}
	return scenario.NameOf(text)
}

// base is the last part of a run's name, without the end of an unfinished one.
func (r *run) base() string { return strings.TrimSuffix(path.Base(r.Name), part) }
