// Command cc-pc4 is the algorithm pc4 as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/pc4"
)

func main() { serve.Algorithm(pc4.Algorithm{}) }
