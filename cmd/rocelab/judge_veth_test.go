//go:build linux && !mem

package main

import (
	"testing"

	"github.com/rocelab/rocelab/testbed/many/judge"
)

func TestAnAlgorithmIsJudgedOnVeth(t *testing.T) {
	s, _ := newLab(t)
	s.process(0, "test", "--algorithm", "dcqcn", "--on", "veth", "--runtime", "builtin",
		"--label", "clocks || veth || reaction", "--seeds", "1", "--format", "json")
	onVeth := s.report()
	// It measured the same on containers as in memory.
	s.process(0, "test", "--algorithm", "dcqcn", "--label", "clocks || reaction", "--seeds", "1", "--format", "json")
	inMemory := s.report()
	for _, check := range []string{"clocks", "reaction"} {
		t.Run(check, func(t *testing.T) {
			if a, b := onVeth.Find(check), inMemory.Find(check); a.Figure != b.Figure || a.Result != judge.Pass {
				t.Errorf("%+v, in memory %+v", a, b)
			}
		})
	}
	if row := onVeth.Find("veth"); row.Result != judge.Pass {
		t.Errorf("%+v", row)
	}
}
