package process_test

import (
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/timely"
)

// The main function of a plugin is one line.
func ExampleServe() {
	process.Serve(timely.Algorithm{})
}
