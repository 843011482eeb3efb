// Command cc-timely is the algorithm timely as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/timely"
)

func main() { process.Serve(timely.Algorithm{}) }
