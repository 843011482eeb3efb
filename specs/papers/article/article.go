// Package article has the experiments of an article on ECN and DCQCN in fabrics for training.
//
// A row is a file, its scenario the YAML file beside it.
package article

import "github.com/rocelab/rocelab/testbed/many/reproduce"

// Paper is the article.
var Paper = &reproduce.Paper{
	Name:     "article",
	Title:    "The Signal Before the Stall",
	Citation: "an article on ECN and DCQCN in AI fabrics",
}

// Rows are its experiments.
var Rows = []*reproduce.Row{
	a1,
	a2,
	a3,
	a4,
	a5,
	a6,
	a7,
	a8,
	a9,
	a10,
	a11,
	a12,
}
