package main

import (
	"strings"
	"testing"
)

// oneWrong has a variant that is right, and one that is wrong.
const oneWrong = `name: pair
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, senders: 2, size: 10KB}]
variants:
  - {name: good, algorithm: fixed}
  - {name: pfc, algorithm: fixed, switch: {buffer: 1B}}
`

// A problem names its variant, and one of a variant that is not run stops nothing.
func TestVariantsOfOthers(t *testing.T) {
	s := newShell(t)
	s.write("pair.yaml", oneWrong)
	for _, command := range []string{"run", "validate"} {
		s.run(2, command, "pair.yaml")
		s.says(s.stderr, "pair.yaml:6:52: buffer is 1B")
		s.says(s.stderr, "(variant pfc)")
		s.run(2, command, "pair.yaml", "--variant", "pfc")
		s.says(s.stderr, "buffer is 1B")
		s.run(2, command, "pair.yaml", "--variant", "pfc", "--variant", "good")
		s.says(s.stderr, "(variant pfc)")
	}
	s.run(0, "run", "pair.yaml", "--variant", "good", "--no-folder")
	s.run(0, "validate", "pair.yaml", "--variant", "good")
	if strings.Contains(s.stdout, "pfc") {
		t.Errorf("of the other variant, too: %s", s.stdout)
	}
	s.run(2, "validate", "incast.yaml", "--variant", "fixd")
	s.says(s.stderr, `incast has no variant "fixd": did you mean fixed?`)
	s.run(0, "run", "pair.yaml", "--variant", "good", "--out", "made")
	s.run(0, "rerun", "made")
}
