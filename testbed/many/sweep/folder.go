package sweep

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// The files of a sweep's folder, beside its Store's.
const (
	// ScenarioName is the request: the scenario with all changes by flags, including its section sweep. A sweep of this
	// file is the same sweep.
	ScenarioName = "sweep.yaml"
	planName     = "plan.jsonl"
	aboutName    = "sweep.json"
	// columnsName explains the files of run folders.
	columnsName = result.ColumnsName
)

// format is the version of a sweep's folder and of the names of its runs. Folders of any
// other are refused.
const format = 2

// About describes the content of a sweep's folder.
type About struct {
	// Format is the layout's version, the constant Format.
	Format int `json:"format"`
	// Scenario is the scenario's name, Models the version of the models, Runs how many
	// runs the plan has.
	Scenario string `json:"scenario"`
	Models   int    `json:"models"`
	Runs     int    `json:"runs"`
	// Keys are the paths that the sweep changes, in the order of the table's columns.
	Keys []string `json:"keys"`
	// Source and Plan are the SHA-256 of sweep.yaml and of plan.jsonl.
	Source string `json:"sweep_yaml_sha256"`
	Plan   string `json:"plan_jsonl_sha256"`
	// Plugins are the sources of algorithms.
	Plugins plugins `json:"plugins"`
	// Report makes each run folder have its page.
	Report bool `json:"report,omitempty"`
}

// plugins are the sources of algorithms that are not built in, by absolute paths.
type plugins struct {
	// RunAs is the flag of that name, "" for its default.
	RunAs string `json:"run_as,omitempty"`
	// Folders are searched for programs, Programs are such that were given by their paths.
	Folders  []string `json:"folders,omitempty"`
	Programs []string `json:"programs,omitempty"`
}

// Folder is a sweep's folder: its plan, and where its results are.
type Folder struct {
	*campaign.Store
	About About
	Plan  *Plan
	// Source is the text of sweep.yaml.
	Source []byte
}

// ErrNoSweep means that a folder is not a sweep's.
var ErrNoSweep = errors.New("is not a folder of a sweep: it has no " + aboutName)

// FolderError is a sweep's folder that cannot be used as it is.
type FolderError struct {
	Dir string
	Err error
}

func (e *FolderError) Error() string { return e.Dir + " " + e.Err.Error() }
func (e *FolderError) Unwrap() error { return e.Err }

// Open opens a sweep's folder. An error is a *FolderError: ErrNoSweep, or what in it is
// damaged.
func Open(dir string) (*Folder, error) {
	f, err := open(filepath.Clean(dir))
	if err != nil {
		return nil, &FolderError{filepath.Clean(dir), err}
	}
	return f, nil
}

// errUnheld is a file that is not the one that sweep.json has the digest of.
type errUnheld struct{ error }

// open opens a folder. Another process may be replacing its files, one after the other, so if one does not belong to
// the others all are read again for a while.
func open(dir string) (f *Folder, err error) {
	for range 20 {
		if f, err = openOnce(dir); !errors.As(err, &errUnheld{}) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return f, err
}

func openOnce(dir string) (*Folder, error) {
	text, err := os.ReadFile(filepath.Join(dir, aboutName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoSweep
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	f := &Folder{Store: campaign.NewStore(dir)}
	if err := json.Unmarshal(text, &f.About); err != nil {
		return nil, fmt.Errorf("is damaged: %s: %w: make it again with rocelab sweep %s --out %s", aboutName, err,
			filepath.Join(dir, ScenarioName), dir)
	}
	if f.About.Format != format {
		return nil, fmt.Errorf("is of format %d, and this rocelab reads format %d", f.About.Format, format)
	}
	if f.Source, err = readHeld(dir, ScenarioName, f.About.Source); err != nil {
		return nil, err
	}
	lines, err := readHeld(dir, planName, f.About.Plan)
	if err != nil {
		return nil, err
	}
	if f.Plan, err = readPlan(lines); err != nil {
		return nil, fmt.Errorf("is damaged: %s: %w", planName, err)
	}
	f.Plan.Keys = f.About.Keys
	return f, nil
}

// readHeld reads a file and holds it to its digest.
func readHeld(dir, name, digest string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	if digestOf(text) == digest {
		return text, nil
	}
	err = errors.New("it was changed")
	if name == planName {
		if _, wrong := readPlan(text); wrong != nil {
			err = wrong
		}
	}
	return nil, errUnheld{fmt.Errorf("is damaged: %s: %w; remove %s and give the sweep's scenario again, with --out: "+
		"results that are there count", name, err, filepath.Join(dir, aboutName))}
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Begin begins a sweep's folder, or goes on with an existing one: of the same plan, or of one whose runs are all in
// this one too, after values or seeds were added. An error is a *FolderError if the folder is another sweep's.
func Begin(dir string, source []byte, p *Plan, about About) (*Folder, error) {
	dir = filepath.Clean(dir)
	there, err := open(dir)
	switch {
	case err == nil:
		if err := there.extends(p, about.Models); err != nil {
			return nil, &FolderError{dir, err}
		}
	case !errors.Is(err, ErrNoSweep):
		return nil, &FolderError{dir, err}
	default:
		if err := emptyEnough(dir); err != nil {
			return nil, &FolderError{dir, err}
		}
	}
	var lines bytes.Buffer
	if err := p.Write(&lines); err != nil {
		return nil, err
	}
	about.Format, about.Runs, about.Keys = format, len(p.Runs), p.Keys
	about.Source, about.Plan = digestOf(source), digestOf(lines.Bytes())
	text, err := json.MarshalIndent(&about, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, file := range []struct {
		name string
		text []byte
	}{{ScenarioName, source}, {planName, lines.Bytes()}, {columnsName, result.Columns(model.Sheets())},
		{aboutName, append(text, '\n')}} {
		if err := replace(filepath.Join(dir, file.name), file.text); err != nil {
			return nil, err
		}
	}
	return &Folder{Store: campaign.NewStore(dir), About: about, Plan: p, Source: source}, nil
}

// extends refuses a plan that lacks runs of the folder's.
func (f *Folder) extends(p *Plan, models int) error {
	if f.About.Models != models {
		return fmt.Errorf("holds a sweep of version %d of the models, and this is version %d: give another folder with --out",
			f.About.Models, models)
	}
	has := make(map[campaign.ID]bool, len(p.Runs))
	for i := range p.Runs {
		has[p.Runs[i].ID] = true
	}
	for i := range f.Plan.Runs {
		if r := &f.Plan.Runs[i]; !has[r.ID] {
			return fmt.Errorf("holds another sweep: this one lacks its run %d (%s); give another folder with --out, or keep "+
				"all of its values and add some", r.Index, r.Name())
		}
	}
	return nil
}

// emptyEnough refuses a folder with foreign files in it.
func emptyEnough(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if at := strings.LastIndexByte(name, '.'); len(name)-at == len(temporarySuffix()) {
			name = name[:at] // another process begins the same sweep, or was killed when it did
		}
		switch name {
		case ScenarioName, planName, aboutName, columnsName, "runs", "part", "damaged", "log", "submit":
		default:
			return fmt.Errorf("exists already and is not a folder of a sweep: it has %s; give another with "+
				"--out", e.Name())
		}
	}
	return nil
}

// temporarySuffix ends the name of a file that is being written.
func temporarySuffix() string { return "." + rand.Text() }

// replace writes a file under its name at once, so that readers never see half of it. One that has the text already is
// not touched.
func replace(name string, text []byte) error {
	if there, err := os.ReadFile(name); err == nil && bytes.Equal(there, text) {
		return nil
	}
	temporary := name + temporarySuffix()
	file, err := os.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(temporary, name)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}
