package browser

import (
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// barsSeen are the bars of a page; From and To are shares of the width of their place.
type barsSeen struct {
	Rows []struct {
		ID, US string
		Parts  []struct {
			From, To float64
			Labels   int
			// Room is the part's width beyond its label's, in pixels; nothing without a label.
			Room *float64
		}
		Links []string
	}
	// Led records for each link whether a click brought its element into view.
	Led    []bool
	Marked int
}

var _ = Describe("the bars that a page opens with", func() {
	DescribeTable("have one axis, parts that add up, and links to what is there", func(width int) {
		var found barsSeen
		do(job{Do: "bars", Width: width}, &found)
		Expect(found.Rows).To(HaveLen(6), "slowest, median and fastest of two variants")
		longest, labels := 0.0, 0
		for _, row := range found.Rows {
			longest = math.Max(longest, number(row.US+" us", timesIn))
		}
		for _, row := range found.Rows {
			at := 0.0
			for _, part := range row.Parts {
				Expect(part.From).To(BeNumerically("~", at, 0.001), row.ID)
				Expect(part.To).To(BeNumerically(">=", part.From), row.ID)
				at = part.To
				Expect(part.Labels).To(BeNumerically("<=", 1), row.ID)
				labels += part.Labels
				if part.Labels > 0 {
					Expect(*part.Room).To(BeNumerically(">", 0), "a label of %s is wider than its part", row.ID)
				}
			}
			Expect(at).To(BeNumerically("~", number(row.US+" us", timesIn)/longest, 0.001), row.ID)
			Expect(row.Links).NotTo(BeEmpty(), row.ID)
		}
		Expect(labels).To(BeNumerically(">=", 6), "each bar has a part that is wide")
		Expect(found.Led).NotTo(BeEmpty())
		Expect(found.Led).To(HaveEach(BeTrue()))
		Expect(found.Marked).To(BeNumerically(">", 0), "the flow's rows of the table")
	}, Entry("600 pixels", 600), Entry("1000 pixels", 1000), Entry("1400 pixels", 1400))
})
