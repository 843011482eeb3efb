// Command cc-hpcc is the algorithm hpcc as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/hpcc"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(hpcc.Algorithm{}) }
