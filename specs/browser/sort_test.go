package browser

import (
	"slices"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("the head of a column", func() {
	It("sorts its table at a press, numbers from the largest on, and turns it round at the next", func() {
		var found struct{ Before, Once, Twice []string }
		do(job{Do: "sort", Table: "slow-flows", Line: "rtt_mean_us"}, &found)
		want := slices.SortedFunc(slices.Values(found.Before), func(a, b string) int {
			x, err := strconv.ParseFloat(a, 64)
			Expect(err).NotTo(HaveOccurred())
			y, err := strconv.ParseFloat(b, 64)
			Expect(err).NotTo(HaveOccurred())
			return int(1000 * (y - x))
		})
		Expect(want).To(HaveLen(8))
		Expect(found.Before).NotTo(Equal(want), "it is not sorted by that at first")
		Expect(found.Once).To(Equal(want))
		slices.Reverse(want)
		Expect(found.Twice).To(Equal(want))
	})

	It("sorts texts from A on", func() {
		var found struct{ Before, Once, Twice []string }
		do(job{Do: "sort", Table: "slow-flows", Line: "flow"}, &found)
		Expect(found.Once).To(Equal(slices.Sorted(slices.Values(found.Before))))
		slices.Reverse(found.Once)
		Expect(found.Twice).To(Equal(found.Once))
	})
})
