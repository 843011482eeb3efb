// Command cc-swift is the algorithm swift as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/swift"
)

func main() { serve.Algorithm(swift.Algorithm{}) }
