// Command cc-dcqcn is the algorithm dcqcn as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/dcqcn"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(dcqcn.Algorithm{}) }
