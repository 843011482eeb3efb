// Package build identifies the build of the running program.
//
// A version is not enough for that: a build from a folder without version control, or
// from one with changes, has none that names it. Its ID names every build. It is the
// Go build ID, which the linker writes into each ELF file and `go tool buildid FILE`
// prints: a hash of all that went into the program and one of what came out. Builds with
// -trimpath have the same ID in any folder, as long as source, Go, flags and version
// control agree; any other edit changes it. A program in another format, or without a
// build ID, has the SHA-256 of its file instead.
package build

import (
	"debug/buildinfo"
	"runtime"
	"runtime/debug"
	"sync"
)

// Info describes the running program.
type Info struct {
	// ID names the build: see the package.
	ID string `json:"id"`
	// Version is the main module's, "(devel)" if it was built without version control.
	Version string `json:"version"`
	// Revision is the commit that it was built from, if known, and Modified is set if the source differed from the
	// commit.
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	// Go is the version of Go that built it.
	Go string `json:"go"`
	// Modules are the versions of the modules that it was built from.
	Modules []string `json:"modules,omitempty"`
}

// Read returns the description of this program.
func Read() Info {
	info := Info{ID: programID(), Version: "(devel)", Go: runtime.Version()}
	if linked, ok := debug.ReadBuildInfo(); ok {
		info.add(linked)
	}
	return info
}

// Of returns the build information in a program, and whether it is a Go program.
func Of(path string) (Info, bool) {
	linked, err := buildinfo.ReadFile(path)
	if err != nil {
		return Info{}, false
	}
	info := Info{ID: idOf(path), Version: "(devel)", Go: linked.GoVersion}
	info.add(linked)
	return info, true
}

// add adds what the linker wrote.
func (info *Info) add(linked *debug.BuildInfo) {
	if linked.Main.Version != "" {
		info.Version = linked.Main.Version
	}
	for _, s := range linked.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Revision = s.Value
		case "vcs.modified":
			info.Modified = s.Value == "true"
		}
	}
	for _, d := range linked.Deps {
		info.Modules = append(info.Modules, d.Path+" "+d.Version)
	}
}

// programID is the ID of the running program, which does not change while it runs.
var programID = sync.OnceValue(func() string { return idOf(programFiles()...) })
