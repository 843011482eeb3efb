package process

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Program is an executable file that serves an algorithm.
type Program struct {
	// Path is the file's.
	Path string
	// Algorithm is the one to serve if the file has several: the program's only argument. "" if it serves one.
	Algorithm string
}

// String returns the program's path, and the argument if there is one.
func (p Program) String() string {
	if p.Algorithm == "" {
		return p.Path
	}
	return p.Path + " " + p.Algorithm
}

// LogName is the name of the file for the program's output: cc-NAME.log for one algorithm of several, as for a program
// with only that algorithm.
func (p Program) LogName() string {
	if p.Algorithm != "" {
		return "cc-" + p.Algorithm + ".log"
	}
	return filepath.Base(p.Path) + ".log"
}

// Unfit returns why the file at path cannot be a program, as the rest of a sentence about it, if that is visible
// without a start; else "".
func Unfit(path string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is missing: there is no such file"
	case err != nil:
		return ""
	case info.IsDir():
		return "is a folder: give the path of the program in it"
	case info.Mode()&0o111 == 0:
		return "is not an executable program: its file has no permission to be executed (chmod +x gives it)"
	}
	return ""
}

// Run starts the program at path, which serves one algorithm, and returns the
// algorithm; closing it ends the process.
func Run(path string, options Options) (cc.Algorithm, io.Closer, error) {
	plugin, err := Start(Program{Path: path}, options)
	if err != nil {
		return nil, nil, err
	}
	return plugin.Algorithm(), plugin, nil
}
