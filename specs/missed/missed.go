// Package missed has the published criteria that specs report as missed.
package missed

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/onsi/ginkgo/v2"
)

// Mark begins what Report prints; a Criterion in JSON follows it on the line.
const Mark = "MISSED CRITERION "

// Criterion is a published criterion that a spec reports as missed, while the spec
// itself passes.
type Criterion struct {
	// Spec is the text of the Ginkgo spec that reports it, "" for none.
	Spec string `json:"spec,omitempty"`
	// What has the demand and the measurement, Why the reason for the miss.
	What string `json:"what"`
	Why  string `json:"why,omitempty"`
}

// Report reports that a published criterion is missed: what has the demand and the measurement, why the explanation. It
// prints a line, since `go test` keeps that of a cached run; `go run ./specs/run` counts and lists such lines.
func Report(what, why string) {
	text, err := json.Marshal(Criterion{ginkgo.CurrentSpecReport().FullText(), what, why})
	if err != nil {
		panic(err) // strings
	}
	fmt.Fprintf(os.Stdout, "\n%s%s\n", Mark, text) // Ginkgo may have begun a line
}
