package lab

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Rows are the rows of tables in pages of docs that a suite measured.
type Rows struct {
	rewrite *bool
	// pages are the rows by what they begin with, by page.
	pages map[string]map[string]string
}

// NewRows returns rows that the pages must all have after the suite; if rewrite is set, they are written there. Call it
// once in the initialisation of a package: it is the suite's AfterSuite.
func NewRows(rewrite *bool) *Rows {
	r := &Rows{rewrite: rewrite, pages: map[string]map[string]string{}}
	AfterSuite(func() {
		for _, page := range slices.Sorted(maps.Keys(r.pages)) {
			r.hold(page, r.pages[page])
		}
	})
	return r
}

// Add adds a row. The page, a path as seen from the suite, has one line that begins with begin, as the row does.
func (r *Rows) Add(page, begin, row string) {
	if r.pages[page] == nil {
		r.pages[page] = map[string]string{}
	}
	r.pages[page][begin] = row
	AddReportEntry("row", row, ReportEntryVisibilityFailureOrVerbose)
}

func (r *Rows) hold(page string, rows map[string]string) {
	text, err := os.ReadFile(page)
	Expect(err).NotTo(HaveOccurred())
	lines := strings.Split(string(text), "\n")
	found := 0
	for i, old := range lines {
		for begin, row := range rows {
			if strings.HasPrefix(old, begin) {
				found++
				if lines[i] != row && !*r.rewrite {
					Fail(fmt.Sprintf("%s has\n%s\nand not\n%s", page, old, row))
				}
				lines[i] = row
			}
		}
	}
	Expect(found).To(Equal(len(rows)), "rows of "+page)
	if *r.rewrite {
		Expect(os.WriteFile(page, []byte(strings.Join(lines, "\n")), 0o644)).To(Succeed())
	}
}
