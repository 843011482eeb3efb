//go:build linux

// Command rocelab-link is a CNI plugin that joins two containers by a veth pair. Runtimes start it; see
// testbed/nodes/cni/README.md for how to configure them.
package main

import (
	"github.com/containernetworking/cni/pkg/skel"

	"github.com/rocelab/rocelab/testbed/nodes/cni"
)

func main() {
	skel.PluginMainFuncs(cni.Verbs(), cni.Versions(), "CNI plugin rocelab-link: joins two containers by a veth pair")
}
