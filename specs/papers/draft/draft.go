// Package draft has the experiments of the Internet-Draft on proximal CNP.
//
// A row is a file, its scenario the YAML file beside it.
package draft

import "github.com/rocelab/rocelab/testbed/many/reproduce"

// Paper is the draft.
var Paper = &reproduce.Paper{
	Name:     "draft",
	Title:    "Proximal CNP",
	Citation: "an Internet-Draft on notifications of congestion between data centres",
}

// Rows are its experiments.
var Rows = []*reproduce.Row{
	r1,
	r2,
	r3,
	r4,
	r5,
	r6,
	r7,
	r8,
}
