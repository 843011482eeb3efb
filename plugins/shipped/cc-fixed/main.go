// Command cc-fixed is the algorithm fixed as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/fixed"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(fixed.Algorithm{}) }
