package browser

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("the bars and the map of a fabric", func() {
	It("saves the bars as a picture, and opens the queue of a port at an end of a link", func() {
		var found struct {
			Drawn struct {
				Name    string
				Texts   []string
				Hatched int
			}
			Led []struct{ Port, Queue string }
			Hot int
		}
		do(job{Do: "map", Plot: "fabric-picture-0"}, &found)
		Expect(found.Drawn.Name).To(Equal("svg"))
		Expect(found.Drawn.Texts).To(ContainElements("alone", "Slowest flow", ContainSubstring("incast/h")))
		Expect(found.Drawn.Hatched).To(BeNumerically(">", 0), "unresolved in the legend")
		Expect(found.Led).NotTo(BeEmpty())
		for _, end := range found.Led {
			Expect(end.Queue).To(HavePrefix(end.Port+" "), "the queue of the port")
		}
		Expect(found.Hot).To(Equal(2), "the hot link, and its mark in the legend")
	})
})
