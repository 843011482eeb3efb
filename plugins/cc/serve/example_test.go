package serve_test

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
)

type mine struct{ cc.Algorithm }

// The main function of a plugin is one line.
func ExampleAlgorithm() {
	serve.Algorithm(mine{})
}
