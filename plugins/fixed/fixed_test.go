package fixed

import (
	"flag"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/cctest"
)

var rewrite = flag.Bool("rewrite", false, "store the transcripts in testdata anew")

func TestTranscripts(t *testing.T) { cctest.Golden(t, Algorithm{}, "testdata/*.txt", *rewrite) }
