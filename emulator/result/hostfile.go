package result

import (
	"io"
	"path"
	"runtime"
	"slices"
)

const hostName = "host.json"

// Host is the host's part of a run folder: everything that differs from machine to machine and from run to run. It is
// host.json, the last file written. It has the digest of manifest.json and of the host's own files, and the manifest
// has the digests of all others, so the digest of host.json covers the whole folder.
type Host struct {
	// Format is the layout's version, the constant Format.
	Format int `json:"format"`
	// Manifest is the SHA-256 of manifest.json.
	Manifest string `json:"manifest_sha256"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	CPUs     int    `json:"cpus"`
	// Fault describes the failure of an algorithm if the manifest's status is StatusFailed.
	Fault string `json:"fault,omitempty"`
	// Runs are in the order of the manifest's runs.
	Runs []HostRun `json:"runs"`
	// Files are the other files that may differ, with their SHA-256: output of programs of algorithms and of commands
	// of hosts, frames that came in at edges, captures.
	Files []FileSum `json:"files"`
}

// HostRun is the cost of one run, and the host's part in its verdict.
type HostRun struct {
	// Folder is that of the manifest's run.
	Folder string `json:"folder"`
	// Verdict is the whole one: of a live run the verdict on time has a part in it.
	Verdict string `json:"verdict"`
	Runner  string `json:"runner"`
	// Workers are goroutines, or processes on a testbed; Daemons then gives the number of nodes per process.
	Workers     int     `json:"workers"`
	Daemons     string  `json:"daemons,omitempty"`
	WallSeconds float64 `json:"wall_seconds"`
	Windows     uint64  `json:"windows"`
	Events      uint64  `json:"events"`
	PacketHops  uint64  `json:"packet_hops"`
	// Remarks are as in Outcome.
	Remarks []string `json:"remarks,omitempty"`
	// Timing describes how a live run kept the clock.
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

// CameIn reports whether the folder has the frames that came in at edges; without these its runs cannot be repeated.
func (h *Host) CameIn() bool {
	return slices.ContainsFunc(h.Files, func(file FileSum) bool { return path.Base(path.Dir(file.Name)) == EdgesFolder })
}

// Live reports whether a run was held to the clock on the wall.
func (h *Host) Live() bool {
	return slices.ContainsFunc(h.Runs, func(run HostRun) bool { return run.Timing != nil })
}

func (h *Host) write(w io.Writer) error { return WriteJSON(w, h) }
