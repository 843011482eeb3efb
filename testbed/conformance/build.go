package conformance

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"
)

// build is a program that was built here, or why it was not.
type build struct {
	path string
	err  error
}

// make builds the source's program at a level of GOAMD64, "" for the go
// command's own choice, once.
func (k *kit) make(level string) (string, error) {
	if b, ok := k.built[level]; ok {
		return b.path, b.err
	}
	var b build
	if k.Source.Package == "" {
		b.err = fmt.Errorf("no source: %s", k.NoSource)
	} else {
		name := filepath.Base(k.Source.Package)
		if k.Program != "" {
			name = filepath.Base(k.Program)
		}
		b.path = filepath.Join(k.folder, "default"+level, name)
		var env []string
		if level != "" {
			env = []string{"GOAMD64=" + level}
		}
		_, b.err = goTool(k.ctx, k.Source.Folder, env, "build", "-buildvcs=false", "-o", b.path, k.Source.Package)
	}
	k.built[level] = b
	return b.path, b.err
}

// program returns the subject's program, built if need be, "" and the reason if
// there is none.
func (k *kit) program() (path, why string) {
	if k.Program != "" {
		return k.Program, ""
	}
	path, err := k.make("")
	if err != nil {
		return "", err.Error()
	}
	return path, ""
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

// build replays what was recorded to builds for other processors.
func (k *kit) build() Row {
	switch {
	case runtime.GOARCH != "amd64":
		return Row{Result: NotChecked, Remark: "levels of GOAMD64 are of amd64, this is " + runtime.GOARCH}
	case len(levels()) < 2:
		return Row{Result: NotChecked, Remark: "this processor runs GOAMD64=v1 alone"}
	case k.Source.Package == "":
		return Row{Result: NotChecked, Remark: "no source: " + k.NoSource}
	}
	var total int
	for _, level := range levels() {
		path, err := k.make(level)
		if err != nil {
			return Row{Result: NotChecked, Remark: err.Error()}
		}
		calls, what, err := k.replayIn(path)
		if err != nil {
			return missed(err)
		}
		if what != "" {
			return Row{Result: Miss, Allowed: "no difference", Remark: fmt.Sprintf("built at GOAMD64=%s: %s; or the source is not that of the program", level, what)}
		}
		total += calls
	}
	return Row{Result: Pass, Figure: fmt.Sprintf("%d calls", total), Allowed: "no difference", Remark: "built at GOAMD64=" + strings.Join(levels(), " and ")}
}
