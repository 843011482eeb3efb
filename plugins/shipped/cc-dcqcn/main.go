// Command cc-dcqcn is the algorithm dcqcn as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/dcqcn"
)

func main() { serve.Algorithm(dcqcn.Algorithm{}) }
