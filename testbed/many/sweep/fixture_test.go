package sweep

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
)

const swept = `name: swept
topology: {kind: star, hosts: 5, rate: 100Gbps}
switch: {buffer: 16MB, ecn: {kmin: 100KB, kmax: 400KB}}
algorithm: dcqcn
traffic:
  - {name: a, kind: incast, senders: 4, size: 100KB}
variants:
  - {name: one}
  - {name: two, algorithm: pc4}
`

// makerOf makes plans of a scenario whose algorithms have version 1.
func makerOf(t testing.TB, src string) (*Maker, *scenario.Sweep) {
	t.Helper()
	s, err := scenario.Parse("s.yaml", []byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	sweep, err := s.Sweep()
	if err != nil {
		t.Fatal(err)
	}
	return &Maker{
		Template: s.Template(),
		Models:   1,
		Identify: func(a *plan.Algorithm) (Algorithm, error) {
			return Algorithm{Name: a.Name, Version: "1", Params: a.Params}, nil
		},
	}, sweep
}

// planOf plans the sweep of a scenario.
func planOf(t testing.TB, src string) *Plan {
	t.Helper()
	m, s := makerOf(t, src)
	p, err := m.Plan(s, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
