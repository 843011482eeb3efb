package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/specs/program"
)

// named is the program in testdata; a file of it is a plugin of that name.
var named string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "registry-test-")
	if err != nil {
		panic(err)
	}
	named = filepath.Join(folder, "named")
	code := 1
	if err := program.Build(folder, []string{"plugins/registry/testdata/named"}); err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	os.RemoveAll(folder)
	os.Exit(code)
}

// folder returns a new folder with plugins of the given file names.
func folder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		program, err := os.ReadFile(named)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, f), program, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// builtin is an algorithm of that name, version 1.0.0.
type builtin string

func (b builtin) Describe() cc.Description {
	return cc.Description{Name: string(b), Version: "1.0.0", Summary: "built in"}
}
func (b builtin) New(cc.Params) (cc.Controller, error) { return nil, nil }

// made is a registry with own as the folder of the running program.
func made(t *testing.T, own string, c Config) *Registry {
	r := New(c)
	r.programDir = own
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// summary is the result of a look-up: "built in", or the file.
func summary(r *Registry, name string) string {
	program, err := r.Program(name)
	a, found := r.Lookup(name)
	switch {
	case found != nil:
		return found.Error()
	case err != nil:
		return "only Program says " + err.Error()
	case a.Describe().Name != name:
		return "serves " + a.Describe().Name
	case program.Path == "":
		return "built in"
	}
	return filepath.Base(program.String())
}

func TestLookup(t *testing.T) {
	own := folder(t, "cc-a", "cc-lone", "other")
	one, two := folder(t, "x", "cc-y"), folder(t, "cc-x_1.5.0", "z", ".hidden")
	if err := os.WriteFile(filepath.Join(one, "README"), []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	ab := []cc.Algorithm{builtin("a"), builtin("b"), builtin("bare")}
	for _, c := range []struct {
		mode    Mode
		folders []string
		name    string
		want    string
	}{
		{Builtin, nil, "a", "built in"},
		{Process, nil, "a", "cc-a"},
		{Builtin, nil, "lone", "cc-lone"},
		{Process, nil, "lone", "cc-lone"},
		{Builtin, nil, "other", `there is no algorithm "other": there are a, b, bare, lone`},
		{Process, nil, "bare", "algorithm bare is built in, and there is no program of it: looked for cc-bare " +
			"in " + own + " and for rocelab-cc there"},
		{Process, nil, "x/../cc-a", "there is no algorithm"},
		{Builtin, []string{one}, "x", "x"},
		{Builtin, []string{one}, "y", "cc-y"},
		{Process, []string{one}, "y", "cc-y"},
		{Builtin, []string{one, one}, "x", "x"},
		{Builtin, []string{own}, "a", "built in"},
		{Builtin, []string{one, two}, "x", "algorithm x is claimed by "},
		{Builtin, []string{one, two}, "z", "z"},
		{Builtin, []string{two}, "hidden", "there is no algorithm"},
		{Builtin, []string{one + "/missing"}, "a", one + "/missing: no such file or directory"},
	} {
		r := made(t, own, Config{Builtin: ab, Folders: c.folders, Mode: c.mode})
		if got := summary(r, c.name); got != c.want && !(strings.Contains(c.want, " ") && strings.Contains(got, c.want)) {
			t.Errorf("%v %v: %s is %q, want %q", c.mode, c.folders, c.name, got, c.want)
		}
	}
}

// An ambiguous name is an error that names both, unless the mode decides.
func TestAmbiguousNames(t *testing.T) {
	own, dir := folder(t, "cc-a"), folder(t, "a")
	algorithms := []cc.Algorithm{builtin("a")}
	r := made(t, own, Config{Builtin: algorithms, Folders: []string{dir}})
	if got := summary(r, "a"); !strings.Contains(got, dir+"/a and the built-in one") || !strings.Contains(got,
		"--run-as process") {
		t.Error(got)
	}
	if _, err := r.List(); err == nil || !strings.Contains(err.Error(), "claimed by") {
		t.Errorf("the list says %v", err)
	}
	r = made(t, own, Config{Builtin: algorithms, Folders: []string{dir}, Mode: Process})
	if got := summary(r, "a"); !strings.Contains(got, dir+"/a and "+own+"/cc-a") {
		t.Error(got)
	}
	r = made(t, t.TempDir(), Config{Builtin: algorithms, Folders: []string{dir}, Mode: Process})
	if got := summary(r, "a"); got != "a" {
		t.Error(got)
	}
}

// Plugins are told apart by their paths: a program of several algorithms that
// links in a folder name is as many plugins.
func TestLinksToOneProgramAreManyPlugins(t *testing.T) {
	elsewhere, dir := folder(t, "many"), t.TempDir()
	for _, name := range []string{"cc-p", "cc-q", "cc-r"} {
		if err := os.Symlink(filepath.Join(elsewhere, "many"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := made(t, "", Config{Folders: []string{dir}})
	list, err := r.List()
	if err != nil {
		t.Error(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name)
	}
	if s := strings.Join(got, " "); s != "p q r" {
		t.Errorf("the folder holds %s", s)
	}
	if got := summary(r, "q"); got != "cc-q" {
		t.Errorf("q is %s", got)
	}
}

// A folder by two names is one folder, and so is a program that serves the same
// under two names.
func TestOneProgramByTwoNamesIsOne(t *testing.T) {
	dir, other := folder(t, "p"), t.TempDir()
	alias := filepath.Join(t.TempDir(), "alias")
	for from, to := range map[string]string{alias: dir, filepath.Join(other, "p"): filepath.Join(dir, "p")} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	r := made(t, "", Config{Folders: []string{dir, alias, other}})
	if list, err := r.List(); err != nil || len(list) != 1 || list[0].Program.Path != filepath.Join(dir, "p") {
		t.Errorf("there are %v, %v", list, err)
	}
	if got := summary(r, "p"); got != "p" {
		t.Errorf("p is %s", got)
	}
}

// A shipped program that is not of its built-in algorithm's version is an old
// build.
func TestStaleProgramIsRefused(t *testing.T) {
	own := folder(t, "b_0.9.0")
	if err := os.Rename(filepath.Join(own, "b_0.9.0"), filepath.Join(own, "cc-b")); err != nil {
		t.Fatal(err)
	}
	r := made(t, own, Config{Builtin: []cc.Algorithm{versioned{builtin("b")}}, Mode: Process})
	var broken *process.Error
	if _, err := r.Lookup("b"); !errors.As(err, &broken) || !strings.Contains(err.Error(),
		"is version 1.0.0 of b, built in is 3.0.0: rebuild it") {
		t.Error(err)
	}
}

type versioned struct{ builtin }

func (v versioned) Describe() cc.Description {
	d := v.builtin.Describe()
	d.Version = "3.0.0"
	return d
}

func TestListNamesWhatIsBroken(t *testing.T) {
	dir := folder(t, "z_2.1.0", "m")
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho hello\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := made(t, "", Config{Builtin: []cc.Algorithm{builtin("a")}, Folders: []string{dir}})
	list, err := r.List()
	var broken *process.Error
	if !errors.As(err, &broken) || broken.Path != script {
		t.Errorf("error %v, want one about %s", err, script)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name+" "+e.Version+" "+filepath.Base(e.Program.Path))
	}
	if s := strings.Join(got, ", "); s != "a 1.0.0 ., m 1.0.0 m, z 2.1.0 z_2.1.0" {
		t.Errorf("list %s", s)
	}
	if got := summary(r, "a"); got != "built in" {
		t.Errorf("a broken file keeps others from being found: %s", got)
	}
	if _, err := r.Lookup("q"); !errors.As(err, &broken) || !strings.Contains(err.Error(),
		"there are a, m, z (looked also in "+filepath.Dir(script)+"); plugin "+script) {
		t.Error(err)
	}
}

// A program runs once, until Close, and again after that.
func TestProgramsRunUntilClose(t *testing.T) {
	logs := t.TempDir()
	r := made(t, "", Config{Folders: []string{folder(t, "p")}, Logs: logs})
	first, err := r.Lookup("p")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := r.Lookup("p"); again != first {
		t.Error("a second look-up started another process")
	}
	if _, err := first.New(hosting.Params{}); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if _, err := first.New(hosting.Params{}); err == nil {
		t.Error("the process outlived Close")
	}
	if anew, err := r.Lookup("p"); err != nil || anew == first {
		t.Errorf("after Close: %v, the old one: %v", err, anew == first)
	}
	if _, err := os.Stat(filepath.Join(logs, "p.log")); err != nil {
		t.Error(err)
	}
}

// A program that was added takes its name from a built-in algorithm, and does not need a folder; other names keep their
// meaning.
func TestAddedProgramTakesItsName(t *testing.T) {
	path := filepath.Join(folder(t, "a_7.0.0"), "a_7.0.0")
	r := made(t, "", Config{Builtin: []cc.Algorithm{builtin("a"), builtin("b")}})
	added, err := r.Add(path)
	if err != nil || added.Describe().Version != "7.0.0" {
		t.Fatal(added, err)
	}
	if found, err := r.Lookup("a"); found != added {
		t.Errorf("a is %v, %v", found, err)
	}
	if got, err := r.Program("a"); got.Path != path {
		t.Errorf("program %q, %v", got, err)
	}
	if again, err := r.Add(path); again != added {
		t.Errorf("added twice it is %v, %v", again, err)
	}
	if got := summary(r, "b"); got != "built in" {
		t.Error(got)
	}
	var broken *process.Error
	if _, err := r.Add("/bin/true"); !errors.As(err, &broken) || broken.Path != "/bin/true" {
		t.Errorf("error %v", err)
	}
}

// A fresh registry finds the same, in programs of its own; folders are looked
// at once for both.
func TestFreshRegistryRunsItsOwnPrograms(t *testing.T) {
	dir := folder(t, "p")
	r := made(t, "", Config{Folders: []string{dir}})
	outside := filepath.Join(folder(t, "x"), "x")
	if _, err := r.Add(outside); err != nil {
		t.Fatal(err)
	}
	first, err := r.Lookup("p")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"-gone"); err != nil {
		t.Fatal(err)
	}
	fresh := r.Fresh()
	if program, err := fresh.Program("p"); program.Path != filepath.Join(dir, "p") {
		t.Errorf("p is at %q, %v: the folder was looked at again", program, err)
	}
	if err := os.Rename(dir+"-gone", dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"p", "x"} {
		t.Run(name, func(t *testing.T) {
			of, err := fresh.Lookup(name)
			if err != nil || of == first {
				t.Errorf("%s: %v, %v", name, of, err)
			}
		})
	}
	if err := fresh.Close(); err != nil {
		t.Error(err)
	}
	if _, err := first.New(hosting.Params{}); err != nil {
		t.Errorf("closing one ends the other's programs: %v", err)
	}
}

func TestFolders(t *testing.T) {
	data, env := t.TempDir(), t.TempDir()
	user := filepath.Join(data, "rocelab", "plugins")
	t.Setenv("XDG_DATA_HOME", data)
	t.Setenv("ROCELAB_PLUGINS", env+":/nowhere")
	if got := strings.Join(Folders([]string{"/given"}), " "); got != "/given "+env {
		t.Errorf("folders %s", got)
	}
	if err := os.MkdirAll(user, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(Folders(nil), " "); got != env+" "+user {
		t.Errorf("folders %s", got)
	}
	home := t.TempDir()
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("ROCELAB_PLUGINS", "")
	t.Setenv("HOME", home)
	user = filepath.Join(home, ".local", "share", "rocelab", "plugins")
	if err := os.MkdirAll(user, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(Folders(nil), " "); got != user {
		t.Errorf("folders %s", got)
	}
}

func TestModes(t *testing.T) {
	for _, m := range []Mode{Builtin, Process} {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			if got, err := ParseMode(m.String()); err != nil || got != m {
				t.Errorf("%v: %v, %v", m, got, err)
			}
		})
	}
	if _, err := ParseMode("both"); err == nil {
		t.Error(`"both" is a mode`)
	}
}
