// Command cc-pc4 is the algorithm pc4 as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/pc4"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(pc4.Algorithm{}) }
