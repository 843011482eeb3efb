package packet

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tier: short.
func TestReadDrops(t *testing.T) {
	const text = "Inter-|   Receive                                                |  Transmit\n" +
		" face |bytes    packets errs drop fifo frame compressed multicast" +
		"|bytes    packets errs drop fifo colls carrier compressed\n" +
		"    lo: 2398610316   74003    1    2    3     4          5         6" +
		" 2398610316   74003    7    8    9     10       11          12" + `
  eth0:1 2 3 40 5 6 7 8 9 10 11 120 13 14 15 16
 eth00: 1 2 3 41 5 6 7 8 9 10 11 121 13 14 15 16
  half: 1 2 3
  word: 1 2 3 four 5 6 7 8 9 10 11 121 13 14 15 16
`
	name := filepath.Join(t.TempDir(), "dev")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for ifname, want := range map[string]Drops{"lo": {2, 8}, "eth0": {40, 120}, "eth00": {41, 121}} {
		for range 2 { // as often as one likes
			if got, err := ReadDrops(f, ifname); got != want || err != nil {
				t.Errorf("%s: %+v, %v, want %+v", ifname, got, err, want)
			}
		}
	}
	if _, err := ReadDrops(f, "eth"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an interface that is not there: %v", err)
	}
	for ifname, want := range map[string]string{"half": "3 columns", "word": `"four"`} {
		if _, err := ReadDrops(f, ifname); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", ifname, err, want)
		}
	}
}
