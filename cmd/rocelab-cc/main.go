// Command rocelab-cc serves the algorithms that come with rocelab as plugins: one
// of them in each process, which its argument names, or the name of a link to it.
//
//	rocelab-cc NAME     the algorithm NAME as a plugin
//	cc-NAME             the same, by a link of that name
//	rocelab-cc --list   the names
//
// To serve an algorithm of one's own takes less: see plugins/shipped/cc-fixed.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/shipped"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--list" {
		fmt.Println(strings.Join(names(), "\n"))
		return
	}
	algorithm := asked(os.Args)
	if algorithm == nil {
		refuse()
	}
	os.Args = []string{"cc-" + algorithm.Describe().Name}
	serve.Algorithm(algorithm)
}

// asked returns the algorithm that the words of the command line ask for, nil if
// they ask for none.
func asked(words []string) cc.Algorithm {
	name, linked := strings.CutPrefix(filepath.Base(words[0]), "cc-")
	if !linked && len(words) == 2 {
		name = words[1]
	}
	for _, a := range shipped.Served() {
		if a.Describe().Name == name {
			return a
		}
	}
	return nil
}

func names() (list []string) {
	for _, a := range shipped.Served() {
		list = append(list, a.Describe().Name)
	}
	return list
}

// refuse prints what this program is.
func refuse() {
	fmt.Fprintf(os.Stderr, `rocelab-cc serves the congestion-control algorithms of rocelab as plugins, and is
started by rocelab: rocelab-cc NAME, or cc-NAME as a link to it, where NAME is one of
%s.
`, strings.Join(names(), ", "))
	os.Exit(2)
}
