package command

import (
	"encoding/json"
	"math"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// timed is the timing in a run folder: the host's part of a live run.
type timed struct {
	Verdict     string
	ReferenceUS float64 `json:"reference_us"`
	Edges       []edge
	Lag         lateness
	BareTimer   struct {
		BeatUS        float64 `json:"beat_us"`
		Lateness      lateness
		LateWindows   uint64  `json:"late_windows"`
		Seen          uint64  `json:"late_windows_seen"`
		LateWithTimer uint64  `json:"late_with_timer"`
		RanS          float64 `json:"ran_s"`
	} `json:"bare_timer"`
	WindowsRanS float64 `json:"windows_ran_s"`
	Standstills []struct {
		TookMS float64 `json:"took_ms"`
	}
}

type edge struct {
	Edge           string
	Received, Sent uint64
	Lateness       lateness
	Taken          lateness          `json:"taken_late"`
	LostOutside    map[string]uint64 `json:"lost_outside"`
}

type lateness struct {
	Count     uint64
	P50US     float64 `json:"p50_us"`
	P99US     float64 `json:"p99_us"`
	P999US    float64 `json:"p99.9_us"`
	MaxUS     float64 `json:"max_us"`
	Histogram []struct {
		ToUS    float64 `json:"to_us"`
		Samples uint64
	}
}

// timingOf reads a folder's data on the machine and its only run, and the verdict of that run there.
func timingOf(folder string) (t timed, verdict string) {
	GinkgoHelper()
	var host struct {
		Runs []struct {
			Runner, Verdict string
			Timing          timed
		}
	}
	Expect(json.Unmarshal([]byte(read(folder, "host.json")), &host)).To(Succeed())
	Expect(host.Runs).To(HaveLen(1))
	Expect(host.Runs[0].Runner).To(Equal("live"))
	return host.Runs[0].Timing, host.Runs[0].Verdict
}

// quantile is the lateness that a share of the samples does not exceed, by the bins.
func (l *lateness) quantile(share float64) float64 {
	seen, wanted := 0.0, share*float64(l.Count)
	for _, bin := range l.Histogram {
		if seen += float64(bin.Samples); seen >= wanted {
			return bin.ToUS
		}
	}
	return math.Inf(1)
}

// colour is the verdict by the rules of docs/live.md on the lateness in the bins, computed again.
func (t *timed) colour() string {
	green, amber, judged := true, true, len(t.Standstills) > 0
	for i := range t.Edges {
		e := &t.Edges[i]
		for _, frames := range e.LostOutside {
			green, judged = green && frames == 0, judged || frames > 0
		}
		for _, l := range []*lateness{&e.Lateness, &e.Taken} {
			if l.Count == 0 {
				continue
			}
			judged = true
			half, most, last := l.quantile(0.5), l.quantile(0.99), l.quantile(0.999)
			green = green && half <= t.ReferenceUS/4 && most <= t.ReferenceUS/2 && last <= 2*t.ReferenceUS
			amber = amber && most <= t.ReferenceUS && last <= 10*t.ReferenceUS
		}
	}
	for _, s := range t.Standstills {
		green, amber = false, amber && s.TookMS*1000 <= 10*t.ReferenceUS
	}
	switch {
	case !judged:
		return "not judged"
	case green:
		return "green"
	case amber:
		return "amber"
	}
	return "red"
}

// expectVerdict insists that the verdict on time follows from the recorded timing, and that the printed verdict and the
// exit code follow from it.
func expectVerdict(folder, stdout string, code int) {
	GinkgoHelper()
	t, verdict := timingOf(folder)
	Expect(t.Edges).NotTo(BeEmpty())
	for i := range t.Edges {
		Expect(t.Edges[i].Lateness.Count).To(Equal(t.Edges[i].Sent), "a sample for each frame that left")
		for _, l := range []*lateness{&t.Edges[i].Lateness, &t.Edges[i].Taken} {
			var samples uint64
			for _, bin := range l.Histogram {
				samples += bin.Samples
			}
			Expect(samples).To(Equal(l.Count))
			if l.Count > 0 {
				Expect([]float64{l.quantile(0.5), l.quantile(0.99), l.quantile(0.999), l.quantile(1)}).To(
					Equal([]float64{l.P50US, l.P99US, l.P999US, l.MaxUS}))
			}
		}
	}
	Expect(t.Lag.Count).To(BeNumerically(">", 0))
	expectTimer(&t, stdout)
	Expect(t.Verdict).To(Equal(t.colour()))
	printed, _, _ := strings.Cut(stdout, " ")
	Expect(printed).To(Equal(strings.ToUpper(verdict)), stdout)
	allowed := map[string][]string{"red": {"red"}, "amber": {"amber", "failed"}, "green": {"pass", "failed"}}
	Expect(allowed[t.Verdict]).To(ContainElement(verdict))
	Expect(code).To(Equal(map[string]int{"pass": 0, "amber": 0, "failed": 1, "red": 3}[verdict]))
}

// expectTimer insists that a timer ran beside the run, 1000 times a second, and that the verdict compares the worst
// edge with it.
//
// Mutant: the timer does not run, or counts nothing.
func expectTimer(t *timed, stdout string) {
	GinkgoHelper()
	b := &t.BareTimer
	Expect(b.BeatUS).To(Equal(1000.0))
	Expect(b.Lateness.Count).To(BeNumerically(">", 100))
	Expect(b.LateWindows).To(BeNumerically(">=", b.Seen))
	Expect(b.Seen).To(BeNumerically(">=", b.LateWithTimer))
	Expect(b.RanS).To(BeNumerically(">", 0))
	Expect(t.WindowsRanS).To(BeNumerically(">", 0))
	said := strings.Join(strings.Fields(stdout), " ")
	late := false
	for i := range t.Edges {
		for _, l := range []*lateness{&t.Edges[i].Lateness, &t.Edges[i].Taken} {
			late = late || l.Count > 0 && max(4*l.P50US, 2*l.P99US, l.P999US/2) > t.ReferenceUS
		}
	}
	Expect(strings.Contains(said, "with --dilate ")).To(Equal(late), said)
	Expect(said).To(MatchRegexp(
		`lateness p99.9 [0-9.]+[mun]?s at edge .*; a bare timer beside it [0-9.a-z]+: (explained|mostly|neither|too few)`))
}
