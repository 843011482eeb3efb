//go:build linux && !mem

package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rocelab/rocelab/plugins/process"
)

// way is one of the two ways across, with a plugin that takes it and misbehaves as told.
type way struct {
	name string
	// program is called by its file.
	program string
	// panicked is the error's text for a failure of the author's code, stacks the text in the log of a program that
	// hangs.
	panicked, stacks string
	path             func(testing.TB) string
	env              func(testing.TB) []string
}

var ways = []way{
	{"ring", "misbehaving", "exited with code 2 at", "main.(*controller).misbehave",
		func(t testing.TB) string { return build(t, "./testdata/misbehaving") }, func(testing.TB) []string { return nil }},
	{"stream", "misbehaving.py", "failed at", "in misbehave",
		func(testing.TB) string { return "testdata/misbehaving.py" }, pythonEnv},
}

// both runs a test on either way.
func both(t *testing.T, test func(*testing.T, way)) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) { test(t, w) })
	}
}

func (w way) start(t testing.TB, o process.Options) *process.Plugin {
	t.Helper()
	o.Env = w.env(t)
	return startAt(t, w.path(t), o)
}

// python is a Python that can speak gRPC, "" if there is none.
var python = sync.OnceValue(func() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.Command(path, "-c", "import grpc, google.protobuf").Run() == nil {
			return path
		}
	}
	return ""
})

// pythonEnv is the environment of plugins in Python. Without a Python that can
// run them the test is skipped.
func pythonEnv(t testing.TB) []string {
	t.Helper()
	if python() == "" {
		t.Skip("no python3 with grpc and google.protobuf: on Debian, install python3-grpcio and python3-protobuf")
	}
	library, err := filepath.Abs("../python")
	if err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "PATH="+filepath.Dir(python())+":"+os.Getenv("PATH"), "ROCELAB_PYTHON="+library)
}
