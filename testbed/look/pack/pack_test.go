package pack

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// A folder always gives the same bytes, without any data of the host unless that is asked for; every zip reader opens
// the pack, and rocelab's reads the same.
func TestAPackIsAZip(t *testing.T) {
	one, made := packed(t, runsIn(t, nil), nil)
	other, _ := packed(t, runsIn(t, func(m *result.Manifest) { m.Host.CPUs = 999 }), nil)
	if !bytes.Equal(one, other) {
		t.Error("another machine makes another pack")
	}
	if sum := sha256.Sum256(one); made.Digest != hex.EncodeToString(sum[:]) {
		t.Errorf("the digest is %s", made.Digest)
	}
	files, list, digest, err := readAll(one)
	if err != nil || digest != made.Digest || len(list.Files) != len(files) {
		t.Fatalf("%v, %s, %+v", err, digest, list)
	}
	z, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range z.File {
		names = append(names, file.Name)
		opened, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		if known := files[file.Name]; file.Name != listName && known.String() != string(text) {
			t.Errorf("%s is %q, and %q", file.Name, text, known)
		}
		if file.Modified.Format("2006-01-02 15:04:05") != "1980-01-01 00:00:00" || file.Mode() != 0o644 {
			t.Errorf("%s is of %v, %v", file.Name, file.Modified, file.Mode())
		}
	}
	want := []string{"README.md", "run/a/empty.csv", "run/a/flows.csv", "run/columns.md", "run/manifest.json",
		"run/report.html", "run/scenario.yaml", "pack.json"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	for _, words := range []string{"rocelab rerun PACK\n", "version `v1`", "git checkout abc",
		"dcqcn, version 1.2.0: built into"} {
		t.Run(fmt.Sprintf("%q", words), func(t *testing.T) {
			if text := files[readmeName].String(); !strings.Contains(text, words) {
				t.Errorf("no %q in %s", words, text)
			}
		})
	}
	withHost, _ := packed(t, runsIn(t, nil), func(c *Contents) { c.WithHost = true })
	files, _, _, err = readAll(withHost)
	if err != nil || files["run/host.json"] == nil || files["run/plugins/mine.log"] == nil {
		t.Errorf("%v, %v", err, files)
	}
}

// A pack with any byte changed is refused, and so is one that is cut or goes on.
func TestAChangedByteIsRefused(t *testing.T) {
	var b bytes.Buffer
	files := map[string]opener{readmeName: textOf([]byte("read me")), "run/a": textOf([]byte("0000000001"))}
	if _, err := write(context.Background(), &b, files, &List{}); err != nil {
		t.Fatal(err)
	}
	pack := b.Bytes()
	for at := range pack {
		for bit := range 8 {
			changed := slices.Clone(pack)
			changed[at] ^= 1 << bit
			if _, _, _, err := readAll(changed); err == nil {
				t.Fatalf("with bit %d of byte %d of %d changed it is read", bit, at, len(pack))
			}
		}
		if _, _, _, err := readAll(pack[:at]); err == nil {
			t.Fatalf("%d bytes of %d are read", at, len(pack))
		}
	}
	for _, more := range []string{"\x00", "PK\x05\x06", string(pack)} {
		t.Run(fmt.Sprintf("%.50q", more), func(t *testing.T) {
			if _, _, _, err := readAll(append(slices.Clone(pack), more...)); err == nil {
				t.Errorf("with %q behind it, it is read", more[:1])
			}
			if _, _, _, err := readAll(append([]byte(more), pack...)); err == nil {
				t.Errorf("with %q before it, it is read", more[:1])
			}
		})
	}
}

// Unpacked files are private and gone at the end; refused packs leave no files.
func TestOpen(t *testing.T) {
	around := t.TempDir()
	t.Setenv("TMPDIR", around)
	t.Setenv("TEMP", around)
	t.Setenv("TMP", around)
	dir := runsIn(t, nil)
	pack, made := packed(t, dir, nil)
	file := filepath.Join(t.TempDir(), "x.rocelab.zip")
	open := func(text []byte) (*Opened, error) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return Open(context.Background(), file)
	}
	left := func() int {
		list, err := filepath.Glob(filepath.Join(around, "rocelab-pack-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	o, err := open(pack)
	if err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	is, err2 := os.ReadFile(filepath.Join(o.Folder(), "manifest.json"))
	if errors.Join(err, err2) != nil || !bytes.Equal(was, is) || o.Digest != made.Digest || left() != 1 {
		t.Errorf("%v, %v, %s, %d folders", err, err2, o.Digest, left())
	}
	if err := o.Close(); err != nil || left() != 0 {
		t.Errorf("%v, %d folders", err, left())
	}
	if _, err := open(pack[:len(pack)-1]); err == nil || left() != 0 {
		t.Errorf("%v, %d folders", err, left())
	}
	if err := os.WriteFile(file, pack, 0o600); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ended, file); !errors.Is(err, context.Canceled) || left() != 0 {
		t.Errorf("%v, %d folders", err, left())
	}
	// A pack that is sound, of a run folder that is not.
	if err := os.WriteFile(filepath.Join(dir, "a", "flows.csv"), []byte("forged\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := result.ReadManifest(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	var forged bytes.Buffer
	if _, err := Write(context.Background(), &forged, &Contents{Folder: os.DirFS(dir), Manifest: m}); err != nil {
		t.Fatal(err)
	}
	if _, err := open(forged.Bytes()); err == nil || !strings.Contains(err.Error(), "a/flows.csv was changed") ||
		left() != 0 {
		t.Errorf("%v, %d folders", err, left())
	}
}

// Runs that did not reach their end are not handed on, nor are those without what came in at edges.
func TestCheck(t *testing.T) {
	for words, change := range map[string]func(*result.Manifest){
		"its status is interrupted": func(m *result.Manifest) { m.Status = result.StatusInterrupted },
		"its status is failed":      func(m *result.Manifest) { m.Status = result.StatusFailed },
		"it has no run":             func(m *result.Manifest) { m.Runs = nil },
	} {
		t.Run(words, func(t *testing.T) {
			if _, err := Check(os.DirFS(runsIn(t, change)), false); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%v, and not %q", err, words)
			}
		})
	}
	live := os.DirFS(runsIn(t, func(m *result.Manifest) { m.Host.OS = journals }))
	if _, err := Check(live, false); err == nil || !strings.Contains(err.Error(), "--with-host") {
		t.Error(err)
	}
	if _, err := Check(live, true); err != nil {
		t.Error(err)
	}
	if _, err := Check(os.DirFS(t.TempDir()), false); !errors.Is(err, result.ErrNoManifest) {
		t.Error(err)
	}
}
