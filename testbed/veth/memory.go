package veth

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/doctor"
)

// perNode is what a node costs beside its rings: a daemon, its models and
// what the kernel keeps of its namespaces.
const perNode = 8 * unit.MB

// needMemory says that the host lacks memory for rings of that many bytes and
// that many nodes, before any is taken.
func needMemory(rings int, nodes plan.NodeID) error {
	return doctor.RequiredFor(doctor.Need{Nodes: int(nodes), Memory: unit.Bytes(rings) + unit.Bytes(nodes)*perNode})
}
