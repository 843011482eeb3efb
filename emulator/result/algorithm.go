package result

import "github.com/rocelab/rocelab/internal/build"

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
