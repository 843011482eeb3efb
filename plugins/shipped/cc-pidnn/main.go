// Command cc-pidnn is the algorithm pidnn as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/pidnn"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(pidnn.Algorithm{}) }
