package plan_test

import (
	"fmt"
	"log"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
)

// The lookahead of a plan is the longest window in which its nodes run apart.
func ExamplePlan() {
	read, err := scenario.Parse("two.yaml", []byte(`
topology: {kind: star, hosts: 2, latency: 500ns}
traffic: [{kind: flow, from: h0, to: h1, size: 10KB}]
algorithm: none
`), nil)
	if err != nil {
		log.Fatal(err)
	}
	plans, err := read.Plans()
	if err != nil {
		log.Fatal(err)
	}
	p := plans[0]
	fmt.Println(p.Lookahead())
	for link := range p.Links {
		fmt.Println(plan.LinkName(p, link))
	}
	// Output:
	// 506.72ns
	// h0-s0
	// h1-s0
}
