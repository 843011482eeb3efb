// Command cc-dctcp is the algorithm dctcp as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/dctcp"
)

func main() { serve.Algorithm(dctcp.Algorithm{}) }
