package result

import "github.com/rocelab/rocelab/internal/build"

// The forms of an algorithm.
const (
	FormBuiltIn = "built in"
	FormProcess = "process"
)

// Algorithm says which algorithm ran, with which parameters.
type Algorithm struct {
	// Name is what the scenario calls it, Version what the algorithm calls its own.
	Name    string `json:"name"`
	Version string `json:"version"`
	// Form is FormBuiltIn, where the manifest's build says all of it, or FormProcess.
	Form string `json:"form"`
	// Program is what ran as a process, nil of an algorithm that is built in.
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
	// Build is what a program in Go says of itself, its modules left out; nil of any other.
	Build *build.Info `json:"build,omitempty"`
	// Runtime is what executes a script, with its version: "CPython 3.13.5". Files are the
	// modules that it had loaded from its own folder. Both are what the program says.
	Runtime string    `json:"runtime,omitempty"`
	Files   []FileSum `json:"files,omitempty"`
}
