// Command cc-none is the algorithm none as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/none"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(none.Algorithm{}) }
