package browser

import (
	"encoding/csv"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// readout is the text below a picture: the time under the cursor, and each line's value.
type readout struct {
	Clock, Spoken string
	// Grown is the growth in height of the picture with its legend, and Moved its distance from its place, in pixels.
	Grown, Moved float64
	Lines        []struct {
		Name, Value string
		Shown       bool
	}
}

// downloaded are files that a page gave; HTML is the table as it is on the page.
type downloaded struct {
	CSV, SVG, Table struct{ Name, Text string }
	HTML            [][]string
}

// longest locates the cells of the picture's first queue.
var longest = map[string]string{"node": "s0", "port": "4", "queue": "3"}

var _ = Describe("a picture", func() {
	It("shows under the pointer the cells of the files, and nothing after a line's end", func() {
		var found struct{ At []readout }
		do(job{Do: "hover", At: []float64{0.01, 0.05, 0.2, 0.35, 0.5, 0.7, 0.8, 0.97}}, &found)
		beyond := 0
		for _, at := range found.At {
			Expect(at.Lines).To(HaveLen(2))
			for _, line := range at.Lines {
				want := cellAt(line.Name+"/series_queues.csv", "depth_max_bytes", longest, number(at.Clock, times))
				if want == "" {
					beyond++
					Expect(line.Value).To(BeEmpty(), "%s at %s", line.Name, at.Clock)
					continue
				}
				expectShows(line.Value, want, bytesOf, line.Name+" at "+at.Clock)
			}
		}
		Expect(beyond).To(BeNumerically(">=", 2), "pc4 ends early: the pointer was beyond")
	})

	It("shows rates under the pointer", func() {
		var found struct{ At []readout }
		do(job{Do: "hover", Plot: "rate-plot-1", At: []float64{0.1, 0.3, 0.5, 0.7, 0.9}}, &found)
		for _, at := range found.At {
			for _, line := range at.Lines[:4] {
				want := cellAt("dcqcn/series_flows.csv", "goodput_gbps", map[string]string{"flow": line.Name},
					number(at.Clock, times))
				expectShows(line.Value, want, rates, line.Name+" at "+at.Clock)
			}
		}
	})

	DescribeTable("stays where it is while it is read, and so does what is below", func(width int) {
		var found struct{ At []readout }
		do(job{Do: "hover", Plot: "rate-plot-1", Width: width, At: []float64{0.05, 0.2, 0.4, 0.6, 0.8, 0.99}}, &found)
		for _, at := range found.At {
			Expect(at.Moved).To(BeZero(), "at %s", at.Clock)
			Expect(at.Grown).To(BeZero(), "at %s", at.Clock)
		}
	}, Entry("wide", 1200), Entry("narrow", 400), Entry("300 pixels", 300))

	It("is read by keys as by the pointer", func() {
		var found struct{ At []readout }
		do(job{Do: "keys", Keys: []string{"ArrowRight", "ArrowRight", "ArrowLeft"}}, &found)
		at := found.At
		Expect(at[0].Clock).NotTo(BeEmpty())
		Expect(number(at[1].Clock, times)).To(BeNumerically(">", number(at[0].Clock, times)))
		Expect(at[2]).To(Equal(at[0]))
		line := at[1].Lines[1]
		expectShows(line.Value, cellAt("dcqcn/series_queues.csv", "depth_max_bytes", longest,
			number(at[1].Clock, times)), bytesOf, line.Name)
	})

	It("tells those who do not see it what keys have come to", func() {
		var found struct{ At []readout }
		do(job{Do: "keys", Keys: []string{"ArrowRight", "ArrowRight", "ArrowDown"}}, &found)
		for i, at := range found.At {
			want := at.Clock
			for _, line := range at.Lines {
				if line.Value != "" && (i < 2 || line.Name == "pc4") {
					want += ", " + line.Name + " " + line.Value
				}
			}
			Expect(at.Spoken).To(Equal(want), "at last the line in focus alone")
			Expect(at.Spoken).To(MatchRegexp(`, (pc4|dcqcn) `))
			Expect(at.Clock).NotTo(MatchRegexp(`\d{4} `), "1 us, and not 1000 ns")
		}
		var pointed struct{ At []readout }
		do(job{Do: "hover", At: []float64{0.2, 0.5}}, &pointed)
		Expect(pointed.At[1].Spoken).To(BeEmpty(), "who points sees")
	})

	It("has its open table follow the time that is shown", func() {
		var found struct{ All, Zoomed, Back []string }
		do(job{Do: "follow", Other: "rate-plot-1"}, &found)
		Expect(len(found.Zoomed)).To(BeNumerically("~", len(found.All)/4, len(found.All)/10))
		Expect(len(found.Zoomed)).To(BeNumerically(">", 2))
		Expect(found.All).To(ContainElements(found.Zoomed))
		Expect(found.Back).To(Equal(found.All))
	})

	It("is zoomed by pointer and by keys, with all others, and comes back", func() {
		var found struct{ All, Dragged, Elsewhere, Back, Plus, Minus, Zero, Double []string }
		do(job{Do: "zoom", Other: "rate-plot-1"}, &found)
		span := func(times []string) (from, to float64) {
			GinkgoHelper()
			Expect(len(times)).To(BeNumerically(">", 2))
			return number(times[0]+" us", timesIn), number(times[len(times)-1]+" us", timesIn)
		}
		from, to := span(found.All)
		whole := to - from
		for _, shown := range [][]string{found.Dragged, found.Elsewhere} {
			from, to := span(shown)
			Expect(from).To(BeNumerically("~", whole/4, whole/40))
			Expect(to).To(BeNumerically("~", whole*3/4, whole/40))
		}
		from, to = span(found.Plus)
		Expect(to-from).To(BeNumerically("~", whole/4, whole/20), "+ twice")
		from, to = span(found.Minus)
		Expect(to-from).To(BeNumerically(">", whole/3), "- once")
		Expect(to-from).To(BeNumerically("<", whole*2/3), "- once")
		for _, shown := range [][]string{found.Back, found.Zero, found.Double} {
			Expect(shown).To(Equal(found.All))
		}
	})

	It("hides a variant at a press of its button, in all pictures, and shows it again", func() {
		var found struct {
			Before, Hidden, After []struct {
				Plot  string
				Shown bool
			}
			HuesBefore, HuesHidden, HuesAfter    map[string]int
			DrawnBefore, DrawnHidden, DrawnAfter int
		}
		do(job{Do: "legend", Line: "pc4"}, &found)
		const blue = "0 114 178"
		Expect(found.Before).NotTo(BeEmpty())
		for i := range found.Before {
			Expect(found.Before[i].Shown).To(BeTrue())
			Expect(found.Hidden[i].Shown).To(BeFalse(), found.Hidden[i].Plot)
			Expect(found.After[i].Shown).To(BeTrue(), found.After[i].Plot)
		}
		Expect(found.HuesBefore[blue]).To(BeNumerically(">", 100))
		Expect(found.HuesHidden[blue]).To(BeZero())
		Expect(found.HuesAfter[blue]).To(BeNumerically(">", 100))
		Expect(found.DrawnBefore).To(BeNumerically(">", 0))
		Expect(found.DrawnHidden).To(BeZero(), "the picture of completion times")
		Expect(found.DrawnAfter).To(Equal(found.DrawnBefore))
	})

	It("gives its values as a file of the folder's cells", func() {
		var found downloaded
		do(job{Do: "download", Table: "slow-flows"}, &found)
		Expect(found.CSV.Name).To(MatchRegexp(`^queue-plot-[\w.-]+\.csv$`))
		rows, err := csv.NewReader(strings.NewReader(found.CSV.Text)).ReadAll()
		Expect(err).NotTo(HaveOccurred())
		Expect(rows[0]).To(Equal([]string{"time_us", "pc4", "dcqcn"}))
		for column, variant := range rows[0][1:] {
			want := cells("two/"+variant+"/series_queues.csv", "depth_max_bytes", longest)
			for _, row := range rows[1:] {
				if value, known := want[row[0]]; known {
					Expect(row[column+1]).To(Equal(value), "%s at %s", variant, row[0])
					delete(want, row[0])
				} else {
					Expect(row[column+1]).To(BeElementOf("", "0"), "%s at %s", variant, row[0])
				}
			}
			Expect(want).To(BeEmpty(), "cells that the file has not")
		}
		rows, err = csv.NewReader(strings.NewReader(found.Table.Text)).ReadAll()
		Expect(err).NotTo(HaveOccurred())
		Expect(rows).To(Equal(found.HTML))
	})

	It("begins with the run, where nothing is sent yet", func() {
		write("late.yaml", "name: late\nalgorithm: dcqcn\ntopology: {kind: star, hosts: 4}\ntraffic:\n"+
			"  - {name: a, from: h0, to: h1, size: 1MB, start: 300us}\n"+
			"  - {name: b, from: h2, to: h3, size: 1MB, start: 300us}\n")
		run("late.yaml", "--out", "late")
		var found downloaded
		do(job{Do: "download", File: "late/report.html", Plot: "rate-plot-0", Table: "slow-flows"}, &found)
		Expect(found.CSV.Text).To(HavePrefix("time_us,a/h0-h1,b/h2-h3"))
		Expect(strings.Split(found.CSV.Text, "\n")[1]).To(HavePrefix("300"), "the first value")
		Expect(textsOf(found.SVG.Text)).To(ContainElements("0 us", "200 us", "300 us"))
	})

	It("names levels that are near each other in one text", func() {
		run("incast.yaml", "--set", "switch.ecn.kmin=400KB", "--set", "switch.ecn.kmax=410KB", "--out", "near")
		for file, want := range map[string][]string{
			"near/report.html": {"Kmin 400 KB, Kmax 410 KB"},
			"two/report.html":  {"Kmin 400 KB", "Kmax 1.6 MB"},
		} {
			var found downloaded
			do(job{Do: "download", File: file, Table: "slow-flows"}, &found)
			levels := slices.DeleteFunc(textsOf(found.SVG.Text), func(text string) bool { return !strings.HasPrefix(text, "K") })
			Expect(levels).To(Equal(want), file)
		}
	})

	DescribeTable("gives itself as a light SVG, whatever the page's colours", func(scheme string) {
		var found downloaded
		do(job{Do: "download", Table: "slow-flows", Scheme: scheme}, &found)
		Expect(found.SVG.Name).To(HaveSuffix(".svg"))
		Expect(textsOf(found.SVG.Text)).To(ContainElements("pc4", "dcqcn"))
		colours := regexp.MustCompile(`(?:fill|stroke)="(#[0-9a-f]+)"`).FindAllStringSubmatch(found.SVG.Text, -1)
		Expect(colours[0][1]).To(Equal("#222"), "text is dark")
		Expect(found.SVG.Text).To(MatchRegexp(`<rect width="\d+" height="\d+" fill="#fff"/>`))
		Expect(found.SVG.Text).To(ContainSubstring(`stroke="#0072b2"`))
	}, Entry("light", "light"), Entry("dark", "dark"))

	DescribeTable("comes to paper in light colours, as its SVG", func(scheme string) {
		var found struct{ Papers, Left int }
		out := filepath.Join(work, scheme+".pdf")
		do(job{Do: "pdf", Scheme: scheme, Out: out}, &found)
		Expect(found.Papers).To(BeNumerically(">=", 3))
		Expect(found.Left).To(BeZero(), "papers that stay on the page")
		drawn := contents(read(scheme + ".pdf"))
		Expect(len(drawn)).To(BeNumerically(">", 10_000))
		// Every colour that fills: none is a dark scheme's ground or light text.
		fills := fillsOf(drawn)
		Expect(fills).To(ContainElements("#000000", "#0072b2"), "text, and a line's key")
		for _, dark := range []string{"#15181b", "#1f2428", "#e4e6e8", "#a5abb0", "#3fcf9f", "#3aa0dc"} {
			Expect(fills).NotTo(ContainElement(dark))
		}
	}, Entry("light", "light"), Entry("dark", "dark"))

	It("is reached by tab, in the page's order, and the focus can be seen", func() {
		var found struct {
			All   int
			Stops []struct {
				What, Name string
				At         int
				Outline    float64
			}
		}
		do(job{Do: "press"}, &found)
		Expect(len(found.Stops)).To(BeNumerically(">=", found.All), "something is not reached")
		order := []int{}
		var names []string
		for _, stop := range found.Stops {
			order = append(order, stop.At)
			names = append(names, stop.Name)
			Expect(stop.Outline).To(BeNumerically(">=", 2), "the focus on %s %q is not seen", stop.What, stop.Name)
		}
		Expect(slices.IsSorted(order)).To(BeTrue(), "%q", names)
		Expect(names).To(ContainElements("CSV", "SVG", "pc4", "Values", HavePrefix("Longest queue"), HavePrefix("Choose")))
	})
})
