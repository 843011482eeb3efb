package papers

import (
	_ "embed"
	"io"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed introduction.md
var introduction string

// WriteMarkdown writes recorded figures as docs/findings/REPRODUCTION.md.
func (j *Judged) WriteMarkdown(to io.Writer, recorded *reproduce.Recorded) error {
	return reproduce.WriteMarkdown(to, introduction, Papers, j.Rows, j.Registry, recorded)
}
