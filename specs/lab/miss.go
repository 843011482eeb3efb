package lab

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/onsi/ginkgo/v2"
)

// MissMark begins what Miss prints; a Missed in JSON follows it on the line.
const MissMark = "MISSED CRITERION "

// Missed is a published criterion that a spec reports as missed, while the spec
// itself passes.
type Missed struct {
	// Spec is the text of the Ginkgo spec that reports it, "" for none.
	Spec string `json:"spec,omitempty"`
	// What has the demand and the measurement, Why the reason for the miss.
	What string `json:"what"`
	Why  string `json:"why,omitempty"`
}

// Miss reports that a published criterion is missed: what has the demand and the measurement, why the explanation. It
// prints a line, since `go test` keeps that of a cached run; `go run ./specs/run` counts and lists such lines.
func Miss(what, why string) {
	text, err := json.Marshal(Missed{ginkgo.CurrentSpecReport().FullText(), what, why})
	if err != nil {
		panic(err) // strings
	}
	fmt.Fprintf(os.Stdout, "\n%s%s\n", MissMark, text) // Ginkgo may have begun a line
}
