// Package thesis has the experiments of the thesis on LSTM+PIDNN.
//
// A row is a file. Rows of the incast share a scenario, incast.yaml, as those of the 320 hosts do, and the runs of it;
// trainings are no runs.
package thesis

import "github.com/rocelab/rocelab/testbed/many/reproduce"

// Paper is the thesis.
var Paper = &reproduce.Paper{
	Name:     "thesis",
	Title:    "Congestion control by LSTM and PIDNN",
	Citation: "a thesis, in Chinese",
}

// Rows are its experiments.
var Rows = []*reproduce.Row{
	h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11, l1, b1, b2, b3, b4, b5, b6, b7, b8,
}
