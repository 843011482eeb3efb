package mem_test

import (
	"context"
	"fmt"
	"log"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// An experiment in one process, from a scenario's text to the verdict and the trace.
func ExampleRun() {
	read, err := scenario.Parse("two.yaml", []byte(`
name: two
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, senders: 2, receiver: h2, size: 100KB}]
algorithm: dcqcn
`), model.Checker(shipped.Find))
	if err != nil {
		log.Fatal(err)
	}
	plans, err := read.Plans()
	if err != nil {
		log.Fatal(err)
	}
	outcome, err := mem.Run(context.Background(), plans[0], mem.Options{Algorithms: shipped.Find})
	if err != nil {
		log.Fatal(err)
	}
	again, err := mem.Run(context.Background(), plans[0], mem.Options{Algorithms: shipped.Find, Codec: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same trace with frames as bytes:", outcome.Trace == again.Trace)
	// Output: the same trace with frames as bytes: true
}
