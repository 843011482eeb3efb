package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// Benchmarks that take minutes are run for those who name them.
func TestBenchLeavesLongOnesOut(t *testing.T) {
	tier.Everyday(t)
	for _, c := range []struct {
		words string
		want  []string // some of the names
		long  bool
	}{
		{"", []string{"incast/dcqcn", "permutation/fixed"}, false},
		{"dcqcn", []string{"incast/dcqcn", "permutation/dcqcn"}, false},
		{"two-dc", []string{"two-dc/dcqcn", "two-dc/proximal"}, true},
		{"two-dc/prox incast/pc4", []string{"incast/pc4", "two-dc/proximal"}, true},
	} {
		t.Run(fmt.Sprintf("words=%q", c.words), func(t *testing.T) {
			chosen, err := selectCases(strings.Fields(c.words), []int{1})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, one := range chosen.cases {
				names = append(names, one.Name)
			}
			for _, want := range c.want {
				if !slices.Contains(names, want) {
					t.Errorf("bench %s: %v, want %s too", c.words, names, want)
				}
			}
			if long := slices.ContainsFunc(names, func(n string) bool {
				return strings.HasPrefix(n, "two-dc/")
			}); long != c.long {
				t.Errorf("bench %s: %v", c.words, names)
			}
		})
	}
}
