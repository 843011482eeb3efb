package judge

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/rocelab/rocelab/plugins/process"
)

// build is a program that was built here, or why it was not.
type build struct {
	path string
	err  error
}

// make builds the source's program at a level of GOAMD64, "" for the go
// command's own choice, once.
func (t *trial) make(level string) (string, error) {
	if b, ok := t.built[level]; ok {
		return b.path, b.err
	}
	var out build
	if t.Source.Package == "" {
		out.err = fmt.Errorf("no source: %s", t.NoSource)
	} else {
		name := filepath.Base(t.Source.Package)
		if t.Program.Path != "" && t.Program.Algorithm == "" {
			name = filepath.Base(t.Program.Path)
		}
		out.path = filepath.Join(t.folder, "default"+level, name)
		var env []string
		if level != "" {
			env = []string{"GOAMD64=" + level}
		}
		_, out.err = goTool(t.ctx, t.Source.Folder, env, "build", "-buildvcs=false", "-o", out.path, t.Source.Package)
	}
	t.built[level] = out
	return out.path, out.err
}

// program returns the subject's program, built if need be, or the reason why there
// is none.
func (t *trial) program() (program process.Program, why string) {
	if t.Program.Path != "" {
		return t.Program, ""
	}
	path, err := t.make("")
	if err != nil {
		return process.Program{}, strings.TrimPrefix(t.NoProgram+"; "+err.Error(), "; ")
	}
	return process.Program{Path: path}, ""
}

// levels are the levels of GOAMD64 to compare: v1 has no fused
// multiply-add, v3 has (https://go.dev/wiki/MinimumRequirements).
func levels() []string {
	list := []string{"v1"}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 {
		list = append(list, "v3")
	}
	return list
}

// build replays the records to builds for other processors.
func (t *trial) build() Row {
	switch {
	case runtime.GOARCH != "amd64":
		return Row{Result: Skipped, Remark: "levels of GOAMD64 are for amd64, this is " + runtime.GOARCH}
	case len(levels()) < 2:
		return Row{Result: Skipped, Remark: "this processor only runs GOAMD64=v1"}
	case t.Source.Package == "":
		return Row{Result: Skipped, Remark: "no source: " + t.NoSource}
	}
	var missed criteria
	total := 0
	for _, level := range levels() {
		path, err := t.make(level)
		if err != nil {
			return Row{Result: Skipped, Remark: err.Error()}
		}
		calls, what := t.replayIn(process.Program{Path: path}, 0)
		missed.want(what == "", "built at GOAMD64=%s: %s; or the source is not that of the program", level, what)
		total += calls
	}
	return missed.row(noDifference, "%d calls, built at GOAMD64=%s", total, strings.Join(levels(), " and "))
}
