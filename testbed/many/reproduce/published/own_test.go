package published

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A row of a user that has the ID or the runs of a shipped one is refused: both would be in one folder. Tier: -short.
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
	for with, refused := range map[string]bool{
		"row: " + shipped[0].ID:                           true,
		"row: " + strings.ToLower(shipped[0].ID):          true,
		"row: OWN-1\nruns: " + shipped[len(shipped)-1].ID: true,
		"row: OWN-1": false,
	} {
		if err := os.WriteFile(file, []byte(strings.Replace(row, "row: K1", with, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Own([]string{file}); (err != nil) != refused || refused && !strings.Contains(err.Error(), "give row") {
			t.Errorf("%q: %v", with, err)
		}
	}
}
