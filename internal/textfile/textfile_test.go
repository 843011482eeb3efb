package textfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// endless gives bytes for ever and counts them.
type endless struct{ given int64 }

func (e *endless) Read(to []byte) (int, error) {
	e.given += int64(len(to))
	return len(to), nil
}

// At most one byte more than allowed is taken from any source.
func TestBound(t *testing.T) {
	const most = 10_000
	var e endless
	var long *TooLong
	if _, err := From(t.Context(), &e, "it", most); !errors.As(err, &long) || e.given != most+1 ||
		err.Error() != "it has more than 10000 bytes: allowed are up to that many" {
		t.Errorf("%d bytes were read: %v", e.given, err)
	}
	path := filepath.Join(t.TempDir(), "file")
	for size, right := range map[int]bool{0: true, 1: true, most: true, most + 1: false, 5 * most: false} {
		t.Run(fmt.Sprintf("size=%v", size), func(t *testing.T) {
			if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
				t.Fatal(err)
			}
			text, err := Read(t.Context(), path, most)
			if right && (err != nil || len(text) != size) || !right && !errors.As(err, &long) {
				t.Errorf("%d bytes: %d, %v", size, len(text), err)
			}
			f, err := Open(t.Context(), path, most)
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, f)
			if n != min(int64(size), most) || right != (err == nil) {
				t.Errorf("%d bytes piece by piece: %d, %v", size, n, err)
			}
			if _, again := f.Read(make([]byte, 1)); !right && !errors.As(again, &long) {
				t.Errorf("read on after the end: %v", again)
			}
			f.Close()
		})
	}
}

// A file that is not on a disk is read within the bound too, or refused.
func TestDevices(t *testing.T) {
	const device = "/dev/zero"
	if _, err := os.Stat(device); err != nil {
		t.Skip("no " + device)
	}
	var long *TooLong
	if _, err := Read(t.Context(), device, 1000); !errors.As(err, &long) {
		t.Error(err)
	}
	if _, err := Regular(device, 1000); err == nil || !strings.Contains(err.Error(), "is a pipe or a device") {
		t.Error(err)
	}
	if _, err := Regular(t.TempDir(), 1000); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Error(err)
	}
}

// Reading ends with its context, at once if that was done before.
func TestEnd(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	from, to := io.Pipe()
	defer to.Close()
	go end()
	if _, err := From(ctx, from, "it", 1000); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"name: Z\u00fcrich\n":  "name: Z\u00fcrich\n",
		"\ufeffname: a":        "name: a",
		"name: \ufeff":         "name: \ufeff",
		"name: \ufffd":         "name: \ufffd",
		"\xff\xfen\x00a\x00":   "! the file is UTF-16: save it as UTF-8",
		"\xfe\xff\x00n\x00a":   "! the file is UTF-16: save it as UTF-8",
		"a\n\x00b\n":           "! line 2 has a zero byte, as UTF-16 has: save the file as UTF-8",
		"a\n\ufffd\nZ\xfcrich": "! line 3 is not UTF-8: save the file as UTF-8",
		"\xed\xa0\x80":         "! line 1 is not UTF-8: save the file as UTF-8",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			got, err := UTF8([]byte(text))
			if err != nil {
				got = []byte("! " + err.Error())
			}
			if string(got) != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}
