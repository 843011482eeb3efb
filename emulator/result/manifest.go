package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/rocelab/rocelab/internal/build"
)

const manifestName = "manifest.json"

// Format is the version of a run folder's layout. Folders of any other are refused.
const Format = 3

// The statuses of a manifest.
const (
	StatusComplete    = "complete"
	StatusInterrupted = "interrupted"
	StatusFailed      = "failed"
)

// Manifest describes the content of a run folder and its origin. It follows from the scenario, the seed, the build, and
// the form of each algorithm and its program: if these are equal it is the same on every runner, to the byte. The
// host's part is in Host.
type Manifest struct {
	// Format is the layout's version, the constant Format.
	Format int `json:"format"`
	// Status is StatusComplete, StatusInterrupted, or StatusFailed if an algorithm failed.
	Status string `json:"status"`
	// Scenario is the scenario's name, Digest the SHA-256 of its source,
	// Overrides what flags changed of it, by path.
	Scenario  string            `json:"scenario"`
	Digest    string            `json:"scenario_sha256"`
	Overrides map[string]string `json:"overrides,omitempty"`
	Build     build.Info        `json:"build"`
	// Models is the version of the models.
	Models int     `json:"models"`
	Runs   []RunID `json:"runs"`
	// NotRun names the runs that an interruption left no time for, or that a fault
	// ended or came before.
	NotRun []string `json:"not_run,omitempty"`
	// Files are in the order of their names, with their SHA-256, but for the host's.
	Files []FileSum `json:"files"`

	// Host is written beside the manifest.
	Host Host `json:"-"`
}

// RunID identifies one run of the folder.
type RunID struct {
	Variant string `json:"variant"`
	// Folder is where its files are: the variant's, and of several seeds the
	// seed's below it.
	Folder    string `json:"folder"`
	Algorithm string `json:"algorithm"`
	Seed      uint64 `json:"seed"`
	Trace     string `json:"trace"`
	// Verdict is the verdict of summary.json, which does not depend on the wall clock.
	Verdict string `json:"verdict"`
	// Interrupted is set for an interrupted run whose verdict does not show it: a red one.
	Interrupted bool `json:"interrupted,omitempty"`
	// Algorithms are the algorithms of the run's flows, in the order of their names.
	Algorithms []Algorithm `json:"algorithms"`
}

// FileSum is a file of the folder.
type FileSum struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// WasInterrupted reports whether the run did not reach its end.
func (r *RunID) WasInterrupted() bool { return r.Interrupted || r.Verdict == Interrupted.String() }

// NewManifest returns a manifest of this program, with that version of the models, on
// this host.
func NewManifest(scenario, digest string, models int) *Manifest {
	return &Manifest{
		Format:   Format,
		Status:   StatusComplete,
		Scenario: scenario,
		Digest:   digest,
		Build:    build.Read(),
		Models:   models,
		Runs:     []RunID{},
		Host:     newHost(),
	}
}

// Add lists a run whose files are in the subfolder sub, with the algorithms that ran.
func (m *Manifest) Add(sub string, outcome *Outcome, summary *Summary, verdict Verdict, algorithms []Algorithm) {
	inside := verdict.Inside()
	m.Runs = append(m.Runs, RunID{
		Variant:     summary.Variant,
		Folder:      sub,
		Algorithm:   summary.Algorithm,
		Seed:        summary.Seed,
		Trace:       traceText(summary.Trace),
		Verdict:     inside.Status.String(),
		Interrupted: outcome.Interrupted && inside.Status != Interrupted,
		Algorithms:  append([]Algorithm{}, algorithms...),
	})
	m.Host.add(sub, outcome, verdict)
	if outcome.Interrupted {
		m.Status = StatusInterrupted
	}
}

func traceText(trace uint64) string { return fmt.Sprintf("%016x", trace) }

func (m *Manifest) write(w io.Writer) error { return WriteJSON(w, m) }

// WriteJSON prints a value as the files of a run folder are printed: indented, and no
// character escaped for HTML.
func WriteJSON(w io.Writer, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// summaryFormat is the version of the layout of summary.json. It grows if a key changes its meaning or its unit, or is
// gone; new keys and metrics leave it.
const summaryFormat = 1

// summaryJSON is the layout of summary.json.
type summaryJSON struct {
	// Format is summaryFormat.
	Format     int               `json:"format"`
	Variant    string            `json:"variant"`
	Fabric     string            `json:"fabric,omitempty"`
	Algorithm  string            `json:"algorithm"`
	Seed       uint64            `json:"seed"`
	Overrides  map[string]string `json:"overrides,omitempty"`
	Verdict    string            `json:"verdict"`
	Findings   []findingJSON     `json:"findings"`
	Trace      string            `json:"trace"`
	Models     int               `json:"models"`
	Accounting string            `json:"accounting"`
	Bottleneck string            `json:"bottleneck,omitempty"`
	JainBasis  string            `json:"jain_basis"`
	// Recording is null if nothing was recorded.
	Recording *recordingJSON  `json:"recording"`
	Metrics   json.RawMessage `json:"metrics"`
}

// recordingJSON describes the time series.
type recordingJSON struct {
	Width float64 `json:"width_us"`
	Bins  int     `json:"bins"`
	// Widths are the widths of the bins in each file of series that was written.
	Widths  map[string]float64 `json:"widths_us"`
	LeftOut []string           `json:"left_out"`
}

type findingJSON struct {
	Subject Subject `json:"about"`
	Status  string  `json:"status"`
	Text    string  `json:"text"`
}

func toJSON(summary *Summary, verdict Verdict) summaryJSON {
	j := summaryJSON{
		Format:     summaryFormat,
		Variant:    summary.Variant,
		Fabric:     summary.Fabric,
		Algorithm:  summary.Algorithm,
		Seed:       summary.Seed,
		Overrides:  summary.Overrides,
		Verdict:    verdict.Status.String(),
		Findings:   []findingJSON{},
		Trace:      traceText(summary.Trace),
		Models:     summary.Models,
		Accounting: summary.Accounting,
		Bottleneck: summary.Bottleneck,
		JainBasis:  summary.JainBasis,
		Metrics:    summary.metricsJSON(),
	}
	if r := summary.Recorded; r != nil {
		j.Recording = r.toJSON()
	}
	for _, f := range verdict.Findings {
		j.Findings = append(j.Findings, findingJSON{f.Subject, f.Status.String(), f.Text})
	}
	return j
}

func (r *recorded) toJSON() *recordingJSON {
	j := &recordingJSON{r.Width.Microseconds(), r.Bins, map[string]float64{}, append([]string{}, r.leftOut()...)}
	for _, file := range r.Files {
		j.Widths[file.Name] = file.Width.Microseconds()
	}
	return j
}

// metricsJSON prints the metrics in their order, null if not measured.
func (s *Summary) metricsJSON() json.RawMessage {
	var list strings.Builder
	for i, m := range MetricsOf(s) {
		text := m.Format(m.of(s))
		if text == "" {
			text = "null"
		}
		sep := ","
		if i == 0 {
			sep = "{"
		}
		fmt.Fprintf(&list, "%s%q:%s", sep, m.Name, text)
	}
	return json.RawMessage(list.String() + "}")
}

// Document returns a run's summary and verdict in the layout of summary.json, and of
// a live run how it kept the clock; timing is nil for others.
func Document(summary *Summary, verdict Verdict, timing *Timing) any {
	return struct {
		summaryJSON
		Timing *TimingDocument `json:"timing,omitempty"`
	}{toJSON(summary, verdict), timing.Document()}
}

// writeSummary leaves time out, so that a live run and its replay write the same.
func writeSummary(w io.Writer, summary *Summary, verdict Verdict) error {
	return WriteJSON(w, toJSON(summary, verdict.Inside()))
}

// The forms of an algorithm.
const (
	FormBuiltIn = "built in"
	FormProcess = "process"
)

// Algorithm is the algorithm that ran, with its parameters.
type Algorithm struct {
	// Name is the scenario's name for it, Version the algorithm's own version.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Form is FormBuiltIn, if the manifest's build describes it fully, or FormProcess.
	Form string `json:"form"`
	// Program is the program that ran as a process, nil for a built-in algorithm.
	Program *Program `json:"program,omitempty"`
	// Params are the values of all parameters: as given, else by default. Of the text of
	// a file it is "sha256:" and the digest; nil where the algorithm itself decides,
	// by other parameters or by the link.
	Params map[string]*string `json:"params"`
}

// Program identifies the program of an algorithm, without its place.
type Program struct {
	// SHA256 is that of the file that is started: a program, or the script.
	SHA256 string `json:"sha256"`
	// Build is the build information of a program in Go, without its modules; nil for any other.
	Build *build.Info `json:"build,omitempty"`
	// Runtime is the interpreter of a script, with its version: "CPython 3.13.5". Files are the modules that it had
	// loaded from its own folder. The program itself reports both.
	Runtime string    `json:"runtime,omitempty"`
	Files   []FileSum `json:"files,omitempty"`
}
