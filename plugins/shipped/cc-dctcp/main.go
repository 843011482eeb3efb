// Command cc-dctcp is the algorithm dctcp as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/dctcp"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(dctcp.Algorithm{}) }
