package acceptance

import (
	"fmt"

	"github.com/onsi/ginkgo/v2/reporters"
)

// WriteJUnit writes the report as JUnit XML.
func (r *Result) WriteJUnit(path string) error {
	if err := reporters.GenerateJUnitReport(r.Ginkgo, path); err != nil {
		return fmt.Errorf("write JUnit report: %w", err)
	}
	return nil
}

// WriteJSON writes Ginkgo's report as JSON.
func (r *Result) WriteJSON(path string) error {
	if err := reporters.GenerateJSONReport(r.Ginkgo, path); err != nil {
		return fmt.Errorf("write JSON report: %w", err)
	}
	return nil
}
