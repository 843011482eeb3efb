package veth

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// saved is a testbed's state in a folder of its own, without a testbed.
func saved(t *testing.T, name string) *State {
	t.Helper()
	t.Setenv("ROCELAB_RUN", filepath.Join(t.TempDir(), "run"))
	tb := &Testbed{State: &State{Name: name, Daemons: PerServer}}
	if err := layout(star(t, 3, ""), tb.State); err != nil {
		t.Fatal(err)
	}
	if err := tb.claim(); err != nil {
		t.Fatal(err)
	}
	return tb.State
}

func TestStateIsReadBack(t *testing.T) {
	s := saved(t, "one")
	got, err := Load("one")
	if err != nil || !reflect.DeepEqual(got, s) {
		t.Errorf("%v: got %+v, want %+v", err, got, s)
	}
	list, err := List()
	if err != nil || len(list) != 1 || list[0].Name != "one" {
		t.Errorf("listed %v, %v", list, err)
	}
	err = filepath.WalkDir(Root(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is open to others: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestNameIsTakenOnce(t *testing.T) {
	s := saved(t, "one")
	err := (&Testbed{State: &State{Name: "one"}}).claim()
	if err == nil || !strings.Contains(err.Error(), "exists already") || !strings.Contains(err.Error(),
		"rocelab destroy --testbed one") {
		t.Errorf("claimed twice: %v", err)
	}
	if _, err := os.Stat(s.path(stateFile)); err != nil {
		t.Errorf("the first one suffered: %v", err)
	}
}

func TestWhatCannotBeClaimedLeavesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROCELAB_RUN", filepath.Join(file, "run"))
	err := (&Testbed{State: &State{Name: "one"}}).claim()
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "ROCELAB_RUN") {
		t.Errorf("a folder below a file: %v", err)
	}
}

func TestDamagedStateIsReported(t *testing.T) {
	s := saved(t, "torn")
	if err := os.Truncate(s.path(stateFile), 30); err != nil {
		t.Fatal(err)
	}
	if _, err := Load("torn"); err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(),
		"rocelab destroy --testbed torn") {
		t.Errorf("loaded: %v", err)
	}
	if list, err := List(); err == nil || len(list) != 0 {
		t.Errorf("listed %v, %v", list, err)
	}
	if err := Destroy(context.Background(), "torn"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(Root()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of all testbeds is still there: %v", err)
	}
}

func TestMissingTestbedsAreToldApart(t *testing.T) {
	t.Setenv("ROCELAB_RUN", filepath.Join(t.TempDir(), "run"))
	var missing *NotFoundError
	if _, err := Load("none"); !errors.As(err, &missing) {
		t.Errorf("load: %v", err)
	}
	if _, err := Open("none"); !errors.As(err, &missing) {
		t.Errorf("open: %v", err)
	}
	if err := Destroy(context.Background(), "none"); !errors.As(err, &missing) {
		t.Errorf("destroy: %v", err)
	}
	if list, err := List(); list != nil || err != nil {
		t.Errorf("list: %v, %v", list, err)
	}
	if _, err := Attach("none"); !errors.As(err, &missing) {
		t.Errorf("attach: %v", err)
	}
}

func TestNamesBecomeFolders(t *testing.T) {
	t.Setenv("ROCELAB_RUN", t.TempDir())
	for _, name := range []string{"", ".", "..", "../x", "a/b", "-a", "A", "a b", strings.Repeat("a", 33), "a\n"} {
		if CheckName(name) == nil {
			t.Errorf("%q passes for a name", name)
		}
		if err := Destroy(context.Background(), name); err == nil {
			t.Errorf("%q was destroyed", name)
		}
	}
	for _, name := range []string{"a", "0", "a-b-", strings.Repeat("a", 32)} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
}

func TestRunOnABusyTestbedIsRefused(t *testing.T) {
	s := saved(t, "busy")
	s.Ready = true
	lock, err := s.lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	_, err = (&Testbed{State: s}).Run(context.Background(), star(t, 3, ""), Options{})
	if err == nil || !strings.Contains(err.Error(), "testbed busy is busy with another run") {
		t.Errorf("a second run: %v", err)
	}
}

func TestIdleTestbedHasNothingToAttachTo(t *testing.T) {
	saved(t, "idle")
	if _, err := Attach("idle"); !errors.Is(err, ErrIdle) {
		t.Errorf("attached: %v", err)
	}
}
