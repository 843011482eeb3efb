// Command cc-hpcc is the algorithm hpcc as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/hpcc"
)

func main() { serve.Algorithm(hpcc.Algorithm{}) }
