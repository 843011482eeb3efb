package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// FuzzCompletion takes any text for the word that is being typed: every request of a shell is answered, and the offered
// words continue the typed one.
func FuzzCompletion(f *testing.F) {
	for _, word := range []string{"switch.ecn.k", "variants.fixed.nic.", "nic.pfc=", "topology.kind=", "..=."} {
		f.Add("run", "--set", word)
	}
	f.Add("compare", "--algorithm", "pc4,dcqcn:set=")
	f.Add("compare", "--metrics", "jain,")
	f.Add("test", "--check", "hand")
	f.Fuzz(func(t *testing.T, verb, flag, word string) {
		if !slices.Contains([]string{"run", "compare", "test", "validate"}, verb) ||
			!slices.Contains([]string{"--set", "--algorithm", "--metrics", "--check", "--label", "--seeds"}, flag) {
			return // of other commands completion lists files and folders
		}
		var out, problems bytes.Buffer
		execute(t.Context(), []string{"__completeNoDesc", verb, "none.yaml", flag, word}, &out, &problems)
		if out.Len() > 0 && !strings.Contains(out.String(), "\n:") && !strings.HasPrefix(out.String(), ":") {
			t.Errorf("%q says no directive", out.String())
		}
	})
}

// FuzzSeeds takes any text for --seeds: an accepted one is a bounded list without the same seed twice.
func FuzzSeeds(f *testing.F) {
	for _, text := range []string{"5", "1-5", "1..5", "1,2,7", "18446744073709551615", "1-,", "0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seeds, err := parseSeeds(text)
		if err != nil {
			return
		}
		slices.Sort(seeds)
		if len(seeds) > scenario.MaxSeeds || len(slices.Compact(seeds)) != len(seeds) {
			t.Errorf("%q: %d seeds", text, len(seeds))
		}
	})
}
