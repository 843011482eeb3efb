package none

import (
	"flag"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

var rewrite = flag.Bool("rewrite", false, "store the transcripts in testdata anew")

func TestTranscripts(t *testing.T) { cctest.Golden(t, Algorithm{}, "testdata/*.txt", *rewrite) }

// It declares itself correctly, asks for nothing and takes no parameter.
func TestDeclaresItself(t *testing.T) {
	d := Algorithm{}.Describe()
	p, err := hosting.Parse(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Algorithm{}.New(p)
	if err != nil || c.Signals() != (cc.Signals{}) || !d.Uncontrolled || c.NewReceiver(cctest.Facts()) != nil {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := hosting.Parse(d, map[string]string{"rate": "1Gbps"}); err == nil || !strings.Contains(err.Error(),
		"rate") {
		t.Errorf("a parameter was taken: %v", err)
	}
}
