package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// programNames are the folders of cmd that users get as programs on Linux.
var programNames = []string{"rocelab", "rocelab-cc", "rocelab-link"}

// profile is the CPU profile for the compiler's inlining.
const profile = "cmd/rocelab/rocelab.pgo"

// program is one that was built.
type program struct {
	name   string
	sha256 string
	info   *debug.BuildInfo
}

// goVersion is the release of Go that built it, such as 1.26.8.
func (p *program) goVersion() string { return strings.TrimPrefix(p.info.GoVersion, "go") }

// build builds the programs into a new folder: static, so that they start in an
// empty root, and without paths of this machine and what debuggers read.
func (s *source) build(ctx context.Context, t target, bin string) ([]program, error) {
	var list []program
	args := []string{"build", "-buildvcs=true", "-trimpath", "-ldflags=-s -w", "-pgo=" + profile, "-o", bin + "/"}
	args = append(args, t.folders()...)
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	if _, err := output(s.goTool(ctx, t, args...)); err != nil {
		return nil, err
	}
	for _, name := range t.programs() {
		path := filepath.Join(bin, name)
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list = append(list, program{name, fmt.Sprintf("%x", sha256.Sum256(data)), info})
	}
	return list, nil
}

// version is the version that Go stamps, without the "v", from the smallest program that there is.
func (s *source) version(ctx context.Context, work string) (string, error) {
	path := filepath.Join(work, "stamped")
	here := target{runtime.GOOS, runtime.GOARCH}
	build := s.goTool(ctx, here, "build", "-buildvcs=true", "-trimpath", "-o", path, "./specs/run")
	if _, err := output(build); err != nil {
		return "", err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(info.Main.Version, "v"), nil
}

// goTool is the command go in the source, for that target. Settings of this machine
// that would show in programs are overridden.
func (s *source) goTool(ctx context.Context, t target, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "GOOS="+t.system, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0",
		"GOWORK=off", "GOFLAGS=-mod=readonly")
	return c
}
