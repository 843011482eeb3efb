// Command cc-timely is the algorithm timely as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/timely"
)

func main() { serve.Algorithm(timely.Algorithm{}) }
