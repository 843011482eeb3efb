package recovery

import (
	"flag"
	"testing"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

func TestRecovery(t *testing.T) { lab.Suite(t, "Recovery") }

var rewrite = flag.Bool("rewrite", false, "write what was measured to the pages of docs")

// pageRows are the rows of pages of docs that were measured.
var pageRows = lab.NewRows(rewrite)
