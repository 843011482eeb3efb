// Command named is a plugin called what its file is called: NAME_VERSION, with
// or without cc- before it.
package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/fixed"
	"github.com/rocelab/rocelab/plugins/process"
)

func main() { process.Serve(named{}) }

type named struct{ fixed.Algorithm }

func (named) Describe() cc.Description {
	name, version, ok := strings.Cut(strings.TrimPrefix(filepath.Base(os.Args[0]), "cc-"), "_")
	if !ok {
		version = "1.0.0"
	}
	return cc.Description{Name: name, Version: version, Summary: "called what its file is called", Source: "tests"}
}
