package browser

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("who does not see a page, or has no pointer,", func() {
	It("finds a name on all that can be used, a text behind each picture, and titles in order", func() {
		run(scenario("pfc-storm.yaml"), "--out", "named")
		run("incast.yaml", "--event-log", "incast/h0-h4", "--variant", "dcqcn", "--out", "logged")
		for _, file := range []string{"two/report.html", "named/report.html", "logged/report.html"} {
			var found struct {
				Nameless, Silent, Canvases []string
				Pictures                   int
				Titles                     []int
				Language                   string
			}
			do(job{Do: "names", File: file}, &found)
			Expect(found.Language).To(Equal("en"))
			Expect(found.Nameless).To(BeEmpty())
			Expect(found.Pictures).To(BeNumerically(">=", 3))
			Expect(found.Silent).To(BeEmpty())
			Expect(found.Canvases).NotTo(BeEmpty())
			Expect(found.Canvases).To(HaveEach(ContainSubstring("A table of the values is below")))
			Expect(found.Titles[0]).To(Equal(1))
			Expect(found.Titles[1:]).To(HaveEach(2))
		}
	})

	It("comes by a link to the title of its section, with nothing over it", func() {
		var found struct {
			Below []struct {
				Top, Height float64
				Stuck, End  bool
			}
		}
		do(job{Do: "jump"}, &found)
		Expect(len(found.Below)).To(BeNumerically(">=", 6))
		for _, at := range found.Below {
			Expect(at.Top).To(BeNumerically(">=", -1))
			if !at.End { // the page goes no further
				Expect(at.Stuck).To(BeTrue(), "the links to sections stay in view")
				Expect(at.Top).To(BeNumerically("<", 40))
			}
		}
	})
})
