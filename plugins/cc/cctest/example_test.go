package cctest_test

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/dcqcn"
)

// The first microseconds of a DCQCN flow that gets a CNP, as a transcript.
func ExampleReplay() {
	transcript, err := cctest.Replay(dcqcn.Algorithm{}, `
> flow line_rate=100Gbps
> 0us start
> 12us cnp
> 20us run
`)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(transcript)
	// Output:
	// > flow line_rate=100Gbps
	// > 0us start
	// 0s start: rate=100000000000bps
	// > 12us cnp
	// 12us cnp: rate=100000000000bps wake=16us
	// > 20us run
	// 16us timer: rate=51017314610bps wake=316us wake_bytes=2097088
}
