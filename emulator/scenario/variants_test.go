package scenario

import (
	"slices"
	"strings"
	"testing"
)

// twoWrong has a variant that is right, and two that are wrong.
const twoWrong = `topology: {kind: star, hosts: 3}
algorithm: fixed
traffic: [{kind: incast, senders: 2, size: 1MB}]
variants:
  - {name: good}
  - {name: pfc, switch: {buffer: 1B}}
  - {name: late, run: {until: 1000000s}}
`

// A problem names the variants that have it, and problems of variants that are not read are not found.
func TestWithVariants(t *testing.T) {
	for _, c := range []struct {
		name, text string
		variants   []string
		plans      []string
		want       []string // words of the problems, one each
	}{
		{"all", twoWrong, nil, nil, []string{"(variant pfc)", "(variant late)"}},
		{"a wrong one", twoWrong, []string{"pfc"}, nil, []string{"buffer is 1B"}},
		{"a wrong one of two", twoWrong, []string{"pfc", "good"}, nil, []string{"(variant pfc)"}},
		{"the right one", twoWrong, []string{"good"}, []string{"good"}, nil},
		{"one that is not there", twoWrong, []string{"good", "god"}, nil, []string{"(variant pfc)", "(variant late)"}},
		{"of two in a row", strings.Replace(twoWrong, "late, run: {until: 1000000s}", "late, switch: {buffer: 1B}", 1), nil,
			nil, []string{"(variant pfc)", "(variant late)"}},
		{"of two at one place", strings.Replace(strings.Replace(twoWrong, "name: pfc, switch: {buffer: 1B}",
			"name: pfc, topology: {rate: 400Gbps}", 1), "late, run: {until: 1000000s}", "late, topology: {rate: 400Gbps}", 1) +
			"faults: [{link: h0-s1, down: 1us}]\n", nil, nil, []string{"h0-s1"}},
		{"of what all share", strings.Replace(twoWrong, "senders: 2", "senders: 0", 1), []string{"good"}, nil,
			[]string{"senders is 0: allowed is"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse("x.yaml", []byte(c.text), nil, WithVariants(c.variants))
			if len(c.want) == 0 {
				plans, again := s.Plans()
				var names []string
				for _, p := range plans {
					names = append(names, p.Name)
				}
				if err != nil || again != nil || !slices.Equal(names, c.plans) {
					t.Errorf("%v, %v, plans %v, want %v", err, again, names, c.plans)
				}
				return
			}
			lines := []string{}
			if err != nil {
				lines = strings.Split(err.Error(), "\n")
			}
			if len(lines) != len(c.want) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			for i, line := range lines {
				if !strings.Contains(line, c.want[i]) || !strings.HasPrefix(c.want[i], "(") && strings.HasSuffix(line, ")") {
					t.Errorf("%s, want %q", line, c.want[i])
				}
			}
		})
	}
}
