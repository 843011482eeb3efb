package profile

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// adapterTable is the table of the page.
func adapterTable() string {
	var b strings.Builder
	for i := range adapters {
		a := &adapters[i]
		fmt.Fprintf(&b, "### `%s`: %s\n\n| key | value | evidence | source |\n|---|---|---|---|\n", a.Name, a.Title)
		for _, f := range a.Figures() {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Key, f.Value, f.Evidence, f.Source)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The page agrees with the code.
func TestPageOfAdapters(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- adapters -->\n\n", "<!-- end of adapters -->"
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the adapters", page)
	}
	if *rewrite {
		if err := os.WriteFile(page, []byte(before+begin+adapterTable()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if table != adapterTable() {
		t.Errorf("%s has other adapters than adapters.go: go test ./emulator/profile -rewrite writes them", page)
	}
}

// Each figure of an adapter has a source, and everything that an adapter changes is among its figures.
func TestAdaptersHaveSources(t *testing.T) {
	keyOf := map[string]string{"OutOfOrder": "receiver", "ReorderDepth": "receiver", "ReorderTime": "receiver",
		"NAK": "nak", "GapCNP": "gap_cnp", "RTO": "rto", "Adapter": ""}
	for i := range adapters {
		a := &adapters[i]
		named := map[string]bool{"": true}
		for _, f := range a.Figures() {
			named[f.Key] = true
			own := strings.Contains(f.Source, "no figure found") || strings.Contains(f.Source, "rocelab's default")
			if f.Source == "" || f.Value == "" || own != (f.Evidence == Estimated) {
				t.Errorf("%s: %s is %q, %s, and its source says %q", a.Name, f.Key, f.Value, f.Evidence, f.Source)
			}
		}
		settings, plain := DefaultNIC(), DefaultNIC()
		a.Give(&settings)
		given, before := reflect.ValueOf(settings), reflect.ValueOf(plain)
		for k := range given.NumField() {
			field := given.Type().Field(k).Name
			key, known := keyOf[field]
			if !reflect.DeepEqual(given.Field(k).Interface(), before.Field(k).Interface()) && (!known || !named[key]) {
				t.Errorf("%s changes %s, and no figure says so", a.Name, field)
			}
		}
	}
}
