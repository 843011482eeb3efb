package bench

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
)

//go:embed two-dc.yaml
var twoDC []byte

// twoDCVariants are the variants of the file. The first is the base of the others.
var twoDCVariants = []string{"dcqcn", "proximal"}

// twoDCSource returns the file with its jobs. Each has four ranks in each cluster, four leaves apart, so that its rings
// go through the spines.
func twoDCSource() []byte {
	const jobs, ranks = 128, 4 // of 512 NICs in each cluster
	b := bytes.NewBuffer(bytes.Clone(twoDC))
	fmt.Fprintln(b, "traffic:")
	for j := range jobs {
		fmt.Fprintf(b, "  - {name: job%d, operation: all-reduce, method: hierarchical, groups: 2, size: 16MB, hosts: [", j)
		for _, cluster := range "ab" {
			for r := range ranks {
				fmt.Fprintf(b, "%c-h%d, ", cluster, j+jobs*r)
			}
		}
		fmt.Fprintln(b, "]}")
	}
	return b.Bytes()
}

func twoDCCases(check scenario.CheckAlgorithm, workers []int) (cases []Case) {
	for _, w := range workers {
		for i, name := range twoDCVariants {
			c := Case{Name: "two-dc/" + name, Workers: w, Long: true,
				plan: func() (*plan.Plan, error) { return twoDCPlan(check, name) }}
			if i > 0 {
				c.Base = "two-dc/" + twoDCVariants[0]
			}
			cases = append(cases, c)
		}
	}
	return cases
}

func twoDCPlan(check scenario.CheckAlgorithm, variant string) (*plan.Plan, error) {
	s, err := scenario.Parse("two-dc.yaml", twoDCSource(), check)
	if err != nil {
		return nil, err
	}
	plans, err := s.Plans()
	if err != nil {
		return nil, err
	}
	for _, p := range plans {
		if p.Name == variant {
			return p, nil
		}
	}
	return nil, fmt.Errorf("two-dc.yaml has no variant %s", variant)
}
