package registry

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
)

// A shipped algorithm runs as its own program if that lies beside rocelab, and otherwise as the one program of several,
// which knows more names than are built in.
func TestOneProgramServesWhatHasNoneOfItsOwn(t *testing.T) {
	own, logs := folder(t, "rocelab-cc", "cc-p"), t.TempDir()
	builtins := []cc.Algorithm{builtin("p"), builtin("q"), builtin("z")}
	for _, c := range []struct {
		mode       Mode
		name, want string
	}{
		{Builtin, "p", "built in"},
		{Process, "p", "cc-p"},
		{Builtin, "q", "built in"},
		{Process, "q", "rocelab-cc q"},
		{Builtin, "r", "rocelab-cc r"},
		{Process, "r", "rocelab-cc r"},
		{Process, "z", "algorithm z is built in, and there is no program of it: looked for cc-z in " + own},
		{Process, "u", `there is no algorithm "u": there are p, q, r, z`},
	} {
		t.Run(fmt.Sprintf("mode=%v,name=%s", c.mode, c.name), func(t *testing.T) {
			r := made(t, own, Config{Builtin: builtins, Mode: c.mode, Logs: logs})
			if got := summary(r, c.name); got != c.want && !(strings.Contains(c.want, " is ") && strings.Contains(got, c.want)) {
				t.Errorf("%v: %s is %q, want %q", c.mode, c.name, got, c.want)
			}
		})
	}
	if list, _ := filepath.Glob(logs + "/*"); strings.Join(list, " ") != logs+"/cc-p.log "+logs+"/cc-q.log "+logs+
		"/cc-r.log" {
		t.Errorf("logs are %v", list)
	}
}

// All that runs as a program is listed, with how it is started.
func TestListHasWhatOneProgramServes(t *testing.T) {
	own := folder(t, "rocelab-cc", "cc-q")
	r := made(t, own, Config{Builtin: []cc.Algorithm{builtin("p")}, Mode: Process})
	list, err := r.List()
	if err != nil {
		t.Error(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name+": "+filepath.Base(e.Program.String()))
	}
	if s := strings.Join(got, ", "); s != "p: rocelab-cc p, q: cc-q, r: rocelab-cc r" {
		t.Errorf("there are %s", s)
	}
}

// Several algorithms of one program run as a process each.
func TestOneProgramRunsForEachAlgorithm(t *testing.T) {
	r := made(t, folder(t, "rocelab-cc"), Config{})
	p, err := r.Lookup("p")
	q, failed := r.Lookup("q")
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	if p == q || p.Describe().Name != "p" || q.Describe().Name != "q" || len(r.running) != 2 {
		t.Errorf("%v and %v, %d processes", p.Describe(), q.Describe(), len(r.running))
	}
	if again, err := r.Lookup("q"); again != q {
		t.Errorf("a second look-up started another process, %v", err)
	}
}

// The error of one of several algorithms names it.
func TestErrorNamesTheAlgorithmOfSeveral(t *testing.T) {
	own := folder(t, "rocelab-cc")
	r := made(t, own, Config{Builtin: []cc.Algorithm{versioned{builtin("q")}}, Mode: Process})
	if _, err := r.Lookup("q"); err == nil || !strings.Contains(err.Error(),
		"plugin "+own+"/rocelab-cc q: is version 1.0.0 of q, built in is 3.0.0") {
		t.Error(err)
	}
}
