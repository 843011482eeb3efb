package veth

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A folder of testbeds that another user could change is refused by all code that reads or removes its content, and
// stays as it is.
func TestUntrustedFoldersAreRefused(t *testing.T) {
	const nobody = 65534
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, above, root, dir string) error
		want  string // in the message; "": it is none of those
	}{
		{"as it should be", func(*testing.T, string, string, string) error { return nil }, ""},
		{"another's", func(t *testing.T, above, root, dir string) error { return chown(t, root, nobody) }, "belongs to user"},
		{"in another's", func(t *testing.T, above, root, dir string) error { return chown(t, above, nobody) },
			"belongs to user"},
		{"open to all", func(t *testing.T, above, root, dir string) error { return os.Chmod(root, 0o777) }, "chmod go-w"},
		{"open to all, as /tmp is", func(t *testing.T, above, root, dir string) error {
			return os.Chmod(root, 0o777|os.ModeSticky)
		}, "chmod go-w"},
		{"open to a group", func(t *testing.T, above, root, dir string) error { return os.Chmod(root, 0o770) }, "chmod go-w"},
		{"in one open to all", func(t *testing.T, above, root, dir string) error { return os.Chmod(above, 0o777) },
			"chmod go-w"},
		{"in one like /tmp", func(t *testing.T, above, root, dir string) error {
			return os.Chmod(above, 0o777|os.ModeSticky)
		}, ""},
		{"with a testbed that is another's", func(t *testing.T, above, root, dir string) error {
			return chown(t, dir, nobody)
		}, "belongs to user"},
		{"with a testbed open to all", func(t *testing.T, above, root, dir string) error { return os.Chmod(dir, 0o707) },
			"chmod go-w"},
		{"a link to another's", func(t *testing.T, above, root, dir string) error {
			real := filepath.Join(above, "real")
			return errors.Join(os.Rename(root, real), os.Symlink(real, root), chown(t, real, nobody))
		}, "belongs to user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "above")
			t.Setenv("ROCELAB_RUN", filepath.Join(above, "run"))
			tb := &Testbed{State: &State{Name: "one", Daemons: PerServer}}
			if err := layout(star(t, 3, ""), tb.State); err != nil {
				t.Fatal(err)
			}
			if err := tb.claim(); err != nil {
				t.Fatal(err)
			}
			defer disown("one")
			if err := c.spoil(t, above, Root(), tb.Dir()); err != nil {
				t.Fatal(err)
			}
			inner := strings.HasPrefix(c.name, "with a testbed")
			check := func(what string, err error) {
				t.Helper()
				var untrusted *untrustedError
				switch {
				case c.want == "" && errors.As(err, &untrusted):
					t.Errorf("%s is refused: %v", what, err)
				case c.want != "" && (!errors.As(err, &untrusted) || !strings.Contains(err.Error(), c.want)):
					t.Errorf("%s: %v, want %q", what, err, c.want)
				}
			}
			_, err := Load("one")
			check("load", err)
			_, err = Open("one")
			check("open", err)
			_, err = Attach("one")
			check("attach", err)
			_, err = List()
			check("list", err)
			if !inner {
				check("another testbed", (&Testbed{State: &State{Name: "two"}}).claim())
				disown("two")
			}
			check("destroy", Destroy(context.Background(), "one"))
			if _, err := os.Stat(tb.path(stateFile)); (err == nil) != (c.want != "") {
				t.Errorf("the testbed: %v", err)
			}
		})
	}
}

func chown(t *testing.T, path string, user int) error {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	return os.Chown(path, user, user)
}

// A symbolic link is followed; neither it nor a folder that it leads to goes with the
// last testbed.
func TestLinkToTheFolderOfTestbedsStays(t *testing.T) {
	s := saved(t, "one")
	link := filepath.Join(t.TempDir(), "link")
	real := Root()
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROCELAB_RUN", link)
	if err := Destroy(context.Background(), "one"); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(real, s.Name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the testbed: %v", err)
	}
	for _, path := range []string{link, real} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

// A link or a file in a testbed's place is not a testbed: it is removed, and nothing that it leads to.
func TestLinkInATestbedsPlaceIsRemovedAlone(t *testing.T) {
	saved(t, "one")
	other := t.TempDir()
	precious := filepath.Join(other, "containers", "two.h0")
	err := errors.Join(os.MkdirAll(precious, 0o700), os.Symlink(other, filepath.Join(Root(), "two")))
	if err != nil {
		t.Fatal(err)
	}
	if err := Destroy(context.Background(), "two"); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(Root(), "two")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the link: %v", err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}

// A record that is a pipe, a device or without an end is refused at once.
func TestRecordsOfOddKinds(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(path string) error
	}{
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
		{"a link to a device", func(path string) error { return os.Symlink("/dev/zero", path) }},
		{"a folder", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"a terabyte", func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		}},
	} {
		path := filepath.Join(t.TempDir(), "record")
		if err := c.make(path); err != nil {
			t.Fatal(err)
		}
		read := make(chan error, 1)
		go func() {
			_, err := readRecord(path)
			read <- err
		}()
		select {
		case err := <-read:
			if err == nil {
				t.Errorf("%s was read", c.name)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s is waited for", c.name)
		}
	}
}
