// Command cc-pidnn is the algorithm pidnn as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/pidnn"
)

func main() { serve.Algorithm(pidnn.Algorithm{}) }
