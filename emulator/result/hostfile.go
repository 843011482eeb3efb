package result

import (
	"io"
	"path"
	"runtime"
	"slices"
)

const hostName = "host.json"

// Host is what is of the host in a run folder: all that differs from machine to machine
// and from run to run. It is host.json, the last file that is written. It has the digest
// of manifest.json and of the files that are the host's, and the manifest has the digests
// of all others, so whoever knows the digest of host.json knows the whole folder.
type Host struct {
	// Format is the layout's version, the constant Format.
	Format int `json:"format"`
	// Manifest is the SHA-256 of manifest.json.
	Manifest string `json:"manifest_sha256"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	CPUs     int    `json:"cpus"`
	// Fault says how an algorithm failed where the manifest's status is StatusFailed.
	Fault string `json:"fault,omitempty"`
	// Runs are in the order of the manifest's runs.
	Runs []HostRun `json:"runs"`
	// Files are those that may differ too, with their SHA-256: what programs of
	// algorithms and commands of hosts printed, what came in at edges, captures.
	Files []FileSum `json:"files"`
}

// HostRun is what one run cost, and how the host has a part in its verdict.
type HostRun struct {
	// Folder is that of the manifest's run.
	Folder string `json:"folder"`
	// Verdict is the whole one: of a live run the verdict on time has a part in it.
	Verdict string `json:"verdict"`
	Runner  string `json:"runner"`
	// Workers are goroutines, or processes on a testbed, where Daemons says how
	// many nodes one hosts.
	Workers     int     `json:"workers"`
	Daemons     string  `json:"daemons,omitempty"`
	WallSeconds float64 `json:"wall_seconds"`
	Windows     uint64  `json:"windows"`
	Events      uint64  `json:"events"`
	PacketHops  uint64  `json:"packet_hops"`
	// Remarks are as in Outcome.
	Remarks []string `json:"remarks,omitempty"`
	// Timing is how a live run kept the clock.
	Timing *TimingDocument `json:"timing,omitempty"`
}

func newHost() Host {
	return Host{
		Format: Format,
		OS:     runtime.GOOS,
		Arch:   runtime.GOARCH,
		CPUs:   runtime.NumCPU(),
		Runs:   []HostRun{},
		Files:  []FileSum{},
	}
}

// add lists a run whose files are in the subfolder sub.
func (h *Host) add(sub string, outcome *Outcome, verdict Verdict) {
	h.Runs = append(h.Runs, HostRun{
		Folder:      sub,
		Verdict:     verdict.Status.String(),
		Runner:      outcome.Runner,
		Workers:     outcome.Workers,
		Daemons:     outcome.Daemons,
		WallSeconds: outcome.Wall.Seconds(),
		Windows:     outcome.Windows,
		Events:      outcome.Events,
		PacketHops:  outcome.Hops,
		Remarks:     outcome.Remarks,
		Timing:      outcome.Time.Document(),
	})
}

// Names are host.json and the files that it lists but the page, which is made of the others.
func (h *Host) Names() []string {
	names := []string{hostName}
	for _, file := range h.Files {
		if file.Name != ReportName {
			names = append(names, file.Name)
		}
	}
	return names
}

// CameIn reports whether the folder has what came in at edges, without which its runs cannot be made
// again.
func (h *Host) CameIn() bool {
	return slices.ContainsFunc(h.Files, func(file FileSum) bool { return path.Base(path.Dir(file.Name)) == EdgesFolder })
}

// Live reports whether a run was held to the clock on the wall.
func (h *Host) Live() bool {
	return slices.ContainsFunc(h.Runs, func(run HostRun) bool { return run.Timing != nil })
}

func (h *Host) write(w io.Writer) error { return WriteJSON(w, h) }
