// Command cc-swift is the algorithm swift as a plugin.
package main

import (
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/swift"
)

func main() { process.Serve(swift.Algorithm{}) }
