// Command cc-fixed is the algorithm fixed as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/fixed"
)

func main() { serve.Algorithm(fixed.Algorithm{}) }
