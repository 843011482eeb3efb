// Command cc-none is the algorithm none as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/none"
)

func main() { serve.Algorithm(none.Algorithm{}) }
