package browser

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// arrow is a pause in a map.
type arrow struct {
	By, Held string
	Opacity  float64
}

// moment is the state of a map at a place of its slider.
type moment struct {
	Said   string
	Arrows []arrow
}

var _ = Describe("pauses", Ordered, func() {
	BeforeAll(func() {
		run(scenario("pfc-storm.yaml"), "--variant", "watchdog", "--out", "storm")
	})

	It("are hidden at a press of their button, and the queue is not", func() {
		var found struct{ HuesBefore, HuesHidden, HuesAfter map[string]int }
		do(job{Do: "legend", File: "storm/report.html", Line: "watchdog paused"}, &found)
		const blue = "0 114 178"
		Expect(found.HuesHidden[blue]).To(BeNumerically("<", found.HuesBefore[blue]-300))
		Expect(found.HuesHidden[blue]).To(BeNumerically(">", 500), "the line of the queue")
		Expect(found.HuesAfter[blue]).To(Equal(found.HuesBefore[blue]))
	})

	It("are in the map by time, as the cells of the ports have them", func() {
		var found struct{ At []moment }
		keys := []string{"ArrowRight", "ArrowLeft"}
		for range 24 {
			keys = append(keys, "ArrowRight")
		}
		do(job{Do: "slide", File: "storm/report.html", Plot: "fabric-picture-0", Keys: keys}, &found)
		whole, later := found.At[1], found.At[len(found.At)-1]
		Expect(whole.Said).To(Equal("whole run"))
		Expect(len(whole.Arrows)).To(BeNumerically(">", 5))
		Expect(later.Arrows).To(ContainElement(arrow{By: "h3", Held: "leaf0", Opacity: 1}), "the storm holds all of the bin")
		paused := map[string]map[string]string{} // who by whom, at what time
		for _, a := range whole.Arrows {
			paused[a.Held+" by "+a.By] = cells("storm/watchdog/series_ports.csv", "paused_us",
				map[string]string{"node": a.Held, "port": portOf("storm/watchdog", a.Held, a.By)})
		}
		for _, at := range append(found.At[:1:1], found.At[2:]...) {
			span, _, _ := strings.Cut(at.Said, ": ")
			begin, end, _ := strings.Cut(span, " to ")
			from, to := number(begin, times)-1e-9, number(end, times)-1e-9
			var want, shown []string
			for who, cells := range paused {
				sum := 0.0
				for time, value := range cells {
					if us := number(time+" us", timesIn); us >= from && us < to {
						sum += number(value+" us", timesIn)
					}
				}
				if sum > 0 {
					want = append(want, who)
				}
			}
			for _, a := range at.Arrows {
				shown = append(shown, a.Held+" by "+a.By)
			}
			Expect(shown).To(ConsistOf(want), at.Said)
		}
	})
})

// portOf returns the port at which a node has a peer.
func portOf(run, node, peer string) string {
	GinkgoHelper()
	for _, row := range rowsOf(run + "/ports.csv") {
		if row["node"] == node && row["peer"] == peer {
			return row["port"]
		}
	}
	Fail(node + " has no port to " + peer)
	return ""
}
