package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// evil is a name that would be more than that, if a page did not write it as text.
const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)><b>&lt;`

// looked is the state of a page when it was opened.
type looked struct {
	Ready                    bool
	MS                       int
	Ground, Text             string
	ClientWidth, ScrollWidth int
	Wide                     []string
	// Unreached are the elements that scroll to the side and that neither keys reach nor a shade marks.
	Unreached               []string
	Plots, Pictures, Tables int
	Foreign                 int
}

var _ = Describe("a page", func() {
	It("opens without a word on the console and without a request, and draws all its pictures", func() {
		var found looked
		do(job{Do: "look"}, &found)
		Expect(found.Ready).To(BeTrue())
		Expect(found.Plots).To(BeNumerically(">=", 3))
		Expect(found.Pictures).To(Equal(found.Plots))
		Expect(found.Tables).To(BeNumerically(">=", 3))
		// What takes below a second on an idle machine may take longer beside others.
		AddReportEntry("ready", fmt.Sprintf("after %d ms", found.MS), ReportEntryVisibilityAlways)
	})

	DescribeTable("has the colours that the reader's system has", func(scheme, ground, text string) {
		var found looked
		do(job{Do: "look", Scheme: scheme}, &found)
		Expect(found.Ground).To(Equal(ground))
		Expect(found.Text).To(Equal(text))
	},
		Entry("light", "light", "rgb(255, 255, 255)", "rgb(34, 34, 34)"),
		Entry("dark", "dark", "rgb(21, 24, 27)", "rgb(228, 230, 232)"),
	)

	It("has no scroll bar to the side on 400 pixels", func() {
		var found looked
		do(job{Do: "look", Width: 400}, &found)
		Expect(found.ClientWidth).To(Equal(400))
		Expect(found.ScrollWidth).To(Equal(400))
		Expect(found.Wide).To(BeEmpty())
		Expect(found.Unreached).To(BeEmpty())
		Expect(found.Pictures).To(Equal(found.Plots))
	})

	It("is refused its script by the browser when a byte of it is another", func() {
		text := read("two", "report.html")
		const word = "The page: its data"
		Expect(strings.Count(text, word)).To(Equal(1))
		write("altered.html", strings.Replace(text, word, "the page: its data", 1))
		var found looked
		var s said
		ask(job{Do: "look", File: "altered.html"}, &found, &s)
		Expect(s.Console).To(ContainElement(And(ContainSubstring("inline script"),
			ContainSubstring("Content Security Policy"))))
		Expect(found.Ready).To(BeFalse())
		Expect(found.Pictures).To(BeZero())
		Expect(found.Tables).To(BeNumerically(">=", 3), "the tables need no script")
	})

	It("is refused its style by the browser when a byte of it is another", func() {
		text := read("two", "report.html")
		Expect(text).To(ContainSubstring("--text: #222;"))
		write("restyled.html", strings.Replace(text, "--text: #222;", "--text: #223;", 1))
		var s said
		ask(job{Do: "look", File: "restyled.html"}, nil, &s)
		Expect(s.Console).To(ContainElement(And(ContainSubstring("inline style"),
			ContainSubstring("Content Security Policy"))))
	})

	It("takes names with markup in them for names", func() {
		folder := copied("two", "evil")
		folder.rename("pc4", evil)
		folder.rename("incast/h0-h4", evil)
		folder.rename("h4", evil)
		folder.seal()
		rocelab("report", "evil", "-o", "evil.html")
		var found looked
		do(job{Do: "look", File: "evil.html"}, &found)
		Expect(found.Pictures).To(Equal(found.Plots))
		Expect(found.Foreign).To(BeZero(), "a name became an element")
		var files downloaded
		do(job{Do: "download", File: "evil.html", Table: "slow-flows"}, &files)
		Expect(textsOf(files.SVG.Text)).To(ContainElement(HavePrefix("</script><script>")))
		Expect(files.CSV.Text).To(HavePrefix("time_us," + evil + ","))
		Expect(slices.Concat(files.HTML[1:]...)).To(ContainElement(evil))
	})

	It("of a large run is small and soon there", func() {
		folder := copied("two", "large")
		folder.multiply("dcqcn", 10_000)
		folder.seal()
		rocelab("report", "large", "-o", "large.html")
		info, err := os.Stat(filepath.Join(work, "large.html"))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Size()).To(BeNumerically("<", 1<<20))
		var found looked
		do(job{Do: "look", File: "large.html"}, &found)
		Expect(found.Pictures).To(Equal(found.Plots))
		AddReportEntry("10000 flows", fmt.Sprintf("%d B, ready after %d ms", info.Size(), found.MS),
			ReportEntryVisibilityAlways)
	})
})
