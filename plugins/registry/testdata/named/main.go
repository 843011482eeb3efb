// Command named is a plugin with the name of its file: NAME_VERSION, with or without cc- before it. With an argument it
// has that name, as a program of several algorithms does, and with --list it lists p, q and r.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/fixed"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--list" {
		fmt.Println("p\nq\nr")
		return
	}
	serve.Algorithm(named{})
}

type named struct{ fixed.Algorithm }

func (named) Describe() cc.Description {
	called := filepath.Base(os.Args[len(os.Args)-1])
	name, version, ok := strings.Cut(strings.TrimPrefix(called, "cc-"), "_")
	if !ok {
		version = "1.0.0"
	}
	return cc.Description{Name: name, Version: version, Summary: "called what its file is called", Source: "tests"}
}
