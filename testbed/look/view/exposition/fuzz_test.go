package exposition_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/rocelab/rocelab/testbed/look/progressfile"
	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

// For any lines of an unfinished run and any files of a complete one, the exposition has a valid format.
func FuzzFolder(f *testing.F) {
	files := ended()
	f.Add([]byte(`{"run":"pc4","runner":"mem","verdict":"PASS","queues":[{"port":"s0:8","bytes":1}]}`+"\n"),
		[]byte(files["manifest.json"]), []byte(files["pc4/summary.json"]), []byte(files["pc4/flows.csv"]))
	f.Add([]byte(`{"run":"../x","ended":"RED","variant":"\"\\\n"}`+"\n"), []byte(`{"format":3,"runs":[{}]}`),
		[]byte(`{"metrics":{"flows":1e308,"goodput_gbps":1e308}}`), []byte("acked_bytes\nNaN\n\"\n"))
	f.Fuzz(func(t *testing.T, lines, manifest, summary, flows []byte) {
		folder := fstest.MapFS{
			progressfile.File:  {Data: lines},
			"manifest.json":    {Data: manifest},
			"host.json":        {Data: []byte(files["host.json"])},
			"pc4/summary.json": {Data: summary},
			"pc4/flows.csv":    {Data: flows},
		}
		whole, _ := exposition.OfEnded("incast", folder)
		going, _ := exposition.Unfinished("incast", folder)
		var text bytes.Buffer
		if err := exposition.Write(&text, append(whole, going...)); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, text.String())
	})
}
