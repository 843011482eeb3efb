package papers_test

import (
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/reproduce/published"
)

// Every quote of the registry is in its sources word for word, white space aside, and so are the five that a draw by
// hash names. The sources are not ours to ship: ROCELAB_PAPERS is a folder with a text of each. Tier: -short. Red: with
// another word in any quote, with the folder.
func TestQuotesAreInTheirSources(t *testing.T) {
	claims := slices.Clone(published.Shipped().Registry.Claims)
	slices.SortFunc(claims, func(a, b *reproduce.Entry) int { return strings.Compare(a.Hash(), b.Hash()) })
	for _, claim := range claims[:5] {
		t.Logf("drawn: %s: %s", claim.ID, claim.Quote)
	}
	folder := os.Getenv("ROCELAB_PAPERS")
	if folder == "" {
		t.Skip("ROCELAB_PAPERS names no folder with the sources")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", folder, err)
	}
	var sources strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources.WriteString(plain(html.UnescapeString(string(text))) + "\n")
	}
	for _, claim := range claims {
		for _, quote := range append([]string{claim.Quote}, claim.Also...) {
			if !strings.Contains(sources.String(), plain(quote)) {
				t.Errorf("%s: no source has %q", claim.ID, quote)
			}
		}
	}
}

// plain is a text without white space.
func plain(text string) string { return strings.Join(strings.Fields(text), "") }
