package recovery

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

const lossyPage = "../../docs/findings/lossy.md"

// distance is a path of two links of 100 Gb/s, and how long a run over it is.
type distance struct {
	name, latency, until string
	// rtt is the round trip of a packet and its ACK, in packets.
	rtt  float64
	slow bool
}

// A packet of 4096 B is 4178 B on the wire, an ACK 86 B.
var distances = []distance{
	{"8 us", "2us", "40ms", (8e3 + 2*4178*0.08 + 2*86*0.08) / (4178 * 0.08), false},
	{"1.2 ms", "300us", "200ms", (1.2e6 + 2*4178*0.08 + 2*86*0.08) / (4178 * 0.08), true},
}

// line is the goodput in Gb/s without a loss.
const line = 100 * 4096. / 4178

// repair is a way to repair, its closed form of the goodput and the error that is allowed. All were fixed before the
// first run that could show the goodput.
type repair struct {
	name, nic string
	formula   func(p, rtt float64) float64
	allowed   func(p, rtt float64) float64
}

// A go-back-N receiver that reports each round of sending costs a round trip a loss, also if a repair is lost; with one
// NAK a gap a lost repair costs a timeout, which is not in the formula.
var repairs = []repair{
	{"go-back-N", "{nak: round}",
		func(p, rtt float64) float64 { return line * (1 - p) / (1 + p*rtt) },
		func(p, rtt float64) float64 {
			if p*rtt > 1 {
				return 0.2
			}
			return 0.1
		}},
	{"selective repeat", "{receiver: selective}",
		func(p, _ float64) float64 { return line * (1 - p) },
		func(_, _ float64) float64 { return 0.01 }},
}

var shares = []float64{1e-5, 1e-4, 1e-3, 1e-2}

// nicOf returns the settings of a repair at a loss: at 1 % selective repeat wants a window of four BDP.
func (r *repair) nicOf(d distance, p float64) string {
	if r.name == "selective repeat" && p == 1e-2 {
		window := 64
		for float64(window) < 4*d.rtt {
			window *= 2
		}
		return fmt.Sprintf("{receiver: selective, window: %d}", window)
	}
	return r.nic
}

// goodputOver returns the goodput in Gb/s from the first packet that came to the last, and the shares of packets sent
// again and lost.
func goodputOver(d distance, p float64, nic string) (gbps, resent, lost float64) {
	run := lab.Do(lab.Plans(fmt.Sprintf(`
name: goodput
algorithm: fixed
topology: {kind: star, hosts: 2, latency: %s}
mtu: 4096B
traffic: [{name: write, from: h0, to: h1, message: 1MB}]
faults: [{link: h1-s0, toward: h1, frames: data, loss: %g}]
nic: %s
record: {off: true}
run: {until: %s}
`, d.latency, p, nic, d.until))[0], lab.Options{Lossy: true})
	f := &run.Flows[0]
	seconds := f.Receiver.Last.Sub(f.Receiver.First).Seconds()
	sent := float64(f.Sender.Packets)
	return float64(f.Receiver.Bytes) * 8 / seconds / 1e9, float64(f.Sender.Resent) / sent,
		float64(run.NICs[1].RxLostFrames) / sent
}

func rowBegin(d distance, r *repair, p float64) string {
	return fmt.Sprintf("| %s | %s | %g %% |", d.name, r.name, p*100)
}

// Tier: everyday over 8 us, slow over 1.2 ms.
var _ = Describe("goodput against loss", Label("loss"), func() {
	var list []TableEntry
	for _, d := range distances {
		for i := range repairs {
			for _, p := range shares {
				var labels Labels
				if d.slow {
					labels = Labels{lab.Slow}
				}
				list = append(list, Entry(rowBegin(d, &repairs[i], p), labels, d, &repairs[i], p))
			}
		}
	}
	DescribeTable("is what the closed form says", func(d distance, r *repair, p float64) {
		if d.slow {
			lab.SkipUnlessSlow()
		}
		got, resent, lost := goodputOver(d, p, r.nicOf(d, p))
		want, allowed := r.formula(p, d.rtt), r.allowed(p, d.rtt)
		row := fmt.Sprintf("%s %.4g | %.4g | %+.1f %% | %.0f %% | %.3g %% | %.3g %% |", rowBegin(d, r, p), want, got,
			100*(got/want-1), 100*allowed, 100*resent, 100*lost)
		pageRows.Add(lossyPage, rowBegin(d, r, p), row)
		Expect(got).To(BeNumerically("~", want, want*allowed), row)
	}, list)
})
