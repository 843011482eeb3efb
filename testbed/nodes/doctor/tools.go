package doctor

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// conveniences are the programs that the testbed can use but does without.
var conveniences = []struct{ name, why, pkg string }{
	{"ip", "look at interfaces: rocelab exec NODE -- ip -s link", "iproute2"},
	{"tcpdump", "capture in a node", "tcpdump"},
	{"tshark", "dissect captures; the capture specs", "tshark"},
	{"ethtool", "look at an interface's counters", "ethtool"},
	{"nsenter", "enter a node's namespaces by hand", "util-linux"},
	{"vagrant", "bring up a machine with everything", "vagrant vagrant-libvirt"},
}

// tools looks for runc and the conveniences in PATH.
func tools(ctx context.Context) []Finding {
	list := []Finding{runc(ctx)}
	for _, t := range conveniences {
		path, err := exec.LookPath(t.name)
		if err != nil {
			list = append(list, absent(t.name, t.why, t.pkg))
			continue
		}
		list = append(list, found(t.name, "%s", path))
	}
	return list
}

func absent(name, why, pkg string) Finding {
	return Finding{name, OptionalMissing, "not in PATH; it serves to " + why, "apt install " + pkg}
}

// runc asks it for its version, the first line of its output.
func runc(ctx context.Context) Finding {
	const name = "runc"
	path, err := exec.LookPath(name)
	if err != nil {
		return absent(name, "run the containers, which the built-in launcher does too", "runc")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return Finding{name, OptionalMissing, fmt.Sprintf("%s --version: %v", path, err),
			"apt install --reinstall runc, or choose --runtime builtin"}
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return found(name, "%s, %s", path, strings.TrimPrefix(first, "runc "))
}
