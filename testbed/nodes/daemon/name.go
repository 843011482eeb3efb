package daemon

import (
	"os"
	"path/filepath"
	"slices"
)

// The names of daemons. All are one program, which hosts the nodes of its orders: the name shows people the purpose of
// a process.
const (
	Switch = "switchd"
	NIC    = "nicd"
	WAN    = "wand"
	// Any hosts nodes of all kinds.
	Any = "daemon"
)

// Names are the names of all daemons.
var Names = []string{Switch, NIC, WAN, Any}

// Become never returns if this process is to be a daemon with the algorithms of host: if the program was called by a
// daemon's name, as a link or in a container, or with it as its first argument.
func Become(host Host) {
	if name, args := called(os.Args); name != "" {
		hide()
		os.Exit(run(name, args, host))
	}
}

// called returns the daemon that the words of a command line ask for, "" for none,
// and its arguments.
func called(words []string) (name string, args []string) {
	if len(words) == 0 {
		return "", nil
	}
	if name = filepath.Base(words[0]); slices.Contains(Names, name) {
		return name, words[1:]
	}
	if len(words) > 1 && slices.Contains(Names, words[1]) {
		return words[1], words[2:]
	}
	return "", nil
}
