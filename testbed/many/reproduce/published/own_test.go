package published

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A row of a user that has the ID or the runs of a shipped one is refused: both would be in one folder.
// Red: without taken.
func TestOwnRowsHaveTheirFolder(t *testing.T) {
	const row = `row: K1
title: A row
scenario: {name: x, topology: {kind: star, hosts: 3}, algorithm: dcqcn, traffic: [{kind: incast, size: 1MB}]}
figures:
  - {name: wait, value: metric("queueing_max_us")}
criteria:
  - {name: short, text: it is short, holds: median("wait") < 10}
`
	shipped, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.yaml")
	last := shipped[len(shipped)-1]
	for _, c := range []struct {
		name, with string
		refused    bool
	}{
		{"its ID", "row: " + shipped[0].ID, true},
		{"its ID in small letters", "row: " + strings.ToLower(shipped[0].ID), true},
		{"its runs", "row: OWN-1\nruns: " + last.ID, true},
		{"neither", "row: OWN-1", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(strings.Replace(row, "row: K1", c.with, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Own([]string{file})
			if (err != nil) != c.refused || c.refused && !strings.Contains(err.Error(), "give row and runs other names") {
				t.Error(err)
			}
		})
	}
}
