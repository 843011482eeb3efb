// Package papers lists the experiments of the four sources: what was published, and how it is
// carried out here. rocelab reproduce runs them.
//
// A row is a file of its paper's package, with its scenario beside it; article/a10.go is the
// one to copy.
package papers

import (
	"slices"

	"github.com/rocelab/rocelab/specs/papers/article"
	"github.com/rocelab/rocelab/specs/papers/draft"
	"github.com/rocelab/rocelab/specs/papers/pc4"
	"github.com/rocelab/rocelab/specs/papers/thesis"
	"github.com/rocelab/rocelab/testbed/reproduction"
)

// Papers are the four sources, in the order of their rows.
var Papers = []*reproduction.Paper{pc4.Paper, article.Paper, draft.Paper, thesis.Paper}

// All are the rows of all papers.
func All() []*reproduction.Row { return slices.Concat(pc4.Rows, article.Rows, draft.Rows, thesis.Rows) }
