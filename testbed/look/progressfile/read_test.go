package progressfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a Writer wrote comes back; a last line without an end is left out.
func TestRead(t *testing.T) {
	text := `{"run":"pc4","runner":"mem","wall_ms":200,"queues":[{"port":"s0:8","bytes":7}],"newer":{"x":1}}
{"run":"pc4","wall_ms":400,"ended":"PASS"}
{"run":"pc4","wall`
	lines, err := ReadFrom(strings.NewReader(text))
	if err != nil || len(lines) != 2 || lines[0].Queues[0] != (Queue{"s0:8", 7}) || lines[1].Ended != "PASS" {
		t.Errorf("%+v, %v", lines, err)
	}
	queue := `{"port":"s0:1","bytes":1},`
	for bad, want := range map[string]string{
		"x":                "line 2: invalid character",
		`{"marks":-1}`:     "line 2: a count of -1",
		`{"left_ms":-1}`:   "line 2: a count of -1",
		`{"share":1.5}`:    "line 2: a share of 1.5",
		`{"marks":1e30}`:   "line 2: json",
		`{"marks":"many"}`: "line 2: json",
		`{"queues":[` + strings.Repeat(queue, 17)[:17*len(queue)-1] + `]}`: "line 2: 17 queues",
		`{"queues":[{"port":"s0:1","bytes":-1}]}`:                          "line 2: a queue of -1 B",
		`{"run":"` + strings.Repeat("x", 2000) + `"}`:                      "line 2: a name of 2000 B",
		`{"run":"` + strings.Repeat("x", maxLine) + `"}`:                   "line 2: longer than 65536 B",
	} {
		t.Run(fmt.Sprintf("%.50q", bad), func(t *testing.T) {
			lines, err := ReadFrom(strings.NewReader("{}\n" + bad + "\n"))
			if err == nil || !strings.HasPrefix(err.Error(), want) || len(lines) != 1 {
				t.Errorf("%.40s: %d lines, %v, want %s", bad, len(lines), err, want)
			}
		})
	}
	if _, err := Read(filepath.Join(t.TempDir(), File)); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Who follows gets each line once, in order, though the file is thinned under way, and ends when
// the file is gone.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	w := NewWriter(dir)
	w.most = 4 << 10
	var got []string
	next := int64(0)
	fill(t, w, line("a", 0), line("b", 0))
	err := Follow(context.Background(), w.path, func(l Line) error {
		got = append(got, fmt.Sprint(l.Run, l.Wall, l.Ended))
		if l.Run != "a" {
			return nil
		}
		if next++; next < 4 {
			for i := range 100 { // more than one file has room for
				fill(t, w, line("a", next*100+int64(i)))
			}
			fill(t, w, line("a", next*1000))
			return nil
		}
		if l.Wall < 3000 || l.Ended != "" {
			return nil
		}
		last := line("a", l.Wall)
		last.Ended = "PASS"
		fill(t, w, last)
		return w.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, one := range got {
		if seen[one] {
			t.Errorf("%s twice", one)
		}
		seen[one] = true
	}
	if got[0] != "a0" || got[1] != "b0" || got[len(got)-1] != "a3000PASS" {
		t.Errorf("%s", got)
	}
	if err := Follow(context.Background(), w.path, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// It ends with its context, and with an error of who reads or of the file.
func TestFollowEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("{}\n{")
	ctx, cancel := context.WithCancel(context.Background())
	lines := 0
	err := Follow(ctx, path, func(Line) error {
		lines++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || lines != 1 {
		t.Errorf("%d lines, %v", lines, err)
	}
	enough := errors.New("enough")
	if err := Follow(context.Background(), path, func(Line) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
	for _, bad := range []string{"x\n", strings.Repeat("x", maxLine+1)} {
		write("{}\n" + bad)
		if err := Follow(context.Background(), path, func(Line) error { return nil }); err == nil {
			t.Errorf("%.10s: no error", bad)
		}
	}
}

// Reading any file ends with lines that can be written and read again, or with an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"run":"a","wall_ms":1,"queues":[{"port":"s0:1","bytes":2}]}` + "\n{\"run\""))
	f.Add([]byte("{\"marks\":18446744073709551615}\n"))
	f.Add([]byte("{\"run\":\"\xff\\ud800\"}\n\n[]\nnull\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lines, _ := ReadFrom(bytes.NewReader(text))
		for _, one := range lines {
			again, err := json.Marshal(one)
			if err != nil {
				t.Fatal(err)
			}
			same, err := parse(again)
			if err != nil || fmt.Sprint(same) != fmt.Sprint(one) {
				t.Fatalf("%+v became %+v, %v", one, same, err)
			}
		}
	})
}
