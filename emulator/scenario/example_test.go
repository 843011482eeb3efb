package scenario_test

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// A text becomes a plan, or all of its problems with line and column.
func Example() {
	text := `
name: four
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, size: 300KB}]
algorithm: pc4
`
	read, err := scenario.Parse("four.yaml", []byte(text), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	plans, err := read.Plans()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range plans {
		fmt.Println(p.Name, len(p.NICs), "NICs,", len(p.Links), "links,", len(p.Flows), "flows")
	}
	_, err = scenario.Parse("wrong.yaml", []byte("name: four\ntopology: {kind: star, host: 5}\n"), nil)
	fmt.Println(err)
	// Output:
	// four 5 NICs, 5 links, 4 flows
	// wrong.yaml:1:1: scenario lacks traffic: the flows
	// wrong.yaml:2:24: unknown key of topology "host": did you mean "hosts"?
}
