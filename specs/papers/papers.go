// Package papers lists the experiments of the four sources: what was published, and how it is
// carried out here. rocelab reproduce runs them.
//
// A row is a file of its paper's package, with its scenario beside it; article/a10.go is the
// one to copy. What the sources say, and by which criteria it is judged, is in claims.yaml.
package papers

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/rocelab/rocelab/specs/papers/apart"
	"github.com/rocelab/rocelab/specs/papers/article"
	"github.com/rocelab/rocelab/specs/papers/draft"
	"github.com/rocelab/rocelab/specs/papers/pc4"
	"github.com/rocelab/rocelab/specs/papers/thesis"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

// Papers are the four sources, in the order of their rows, and what stands for one in rows of our own.
var Papers = []*reproduce.Paper{pc4.Paper, article.Paper, draft.Paper, thesis.Paper, apart.Paper}

//go:embed claims.yaml
var claims []byte

// Claims is the text of the registry.
func Claims() []byte { return slices.Clone(claims) }

// shipped is read once, and by what needs it alone: it takes some hundredths of a second.
var shipped = sync.OnceValue(func() *Judged {
	judged, err := Read("claims.yaml", claims)
	if err != nil {
		panic(err) // tests read it
	}
	return judged
})

// Judged are the rows of all papers with the criteria of a registry.
type Judged struct {
	Rows     []*reproduce.Row
	Registry *reproduce.Registry
}

// Shipped is by the registry of this program.
func Shipped() *Judged { return shipped() }

// Read is by another registry, of a file. The error has all that is wrong with it, by line and column.
func Read(file string, text []byte) (*Judged, error) {
	rows := slices.Concat(pc4.Rows, article.Rows, draft.Rows, thesis.Rows, apart.Rows)
	registry, err := reproduce.ReadRegistry(file, text, rows)
	if err != nil {
		return nil, err
	}
	return &Judged{registry.With(rows), registry}, nil
}

// All are the rows of all papers.
func All() []*reproduce.Row { return Shipped().Rows }
