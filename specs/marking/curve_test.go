package marking

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// departure is a data frame that left the bottleneck.
type departure struct {
	at unit.Time
	// left is the queue that it left behind, met the one that it found when
	// its last bit arrived, in bytes of frames.
	left, met unit.Bytes
	marked    bool
}

// capable is the fixed rate with ECN-capable data, which no shipped algorithm has: fixed, which ignores marks, sends
// data that are not ECN-capable.
func capable(name string) (cc.Algorithm, bool) {
	a, ok := shipped.Find(name)
	return algorithm{a}, ok && name == "fixed"
}

type algorithm struct{ cc.Algorithm }

func (a algorithm) New(p cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(p)
	return controller{c}, err
}

type controller struct{ cc.Controller }

func (controller) Signals() cc.Signals { return cc.Signals{ECT: true} }

// climb is a scenario in which two senders, each at the given rate, overwhelm the port of h2, of 100 Gb/s, until the
// instant stop.
func climb(rate, stop, ecn string) string {
	return fmt.Sprintf(`
name: climb
algorithm: {name: fixed, params: {rate: %s}}
topology: {kind: star, hosts: 3}
switch: {buffer: 64MB, ecn: {%s}}
traffic: [{kind: incast, stop: %s}]
run: {until: 20ms}
`, rate, ecn, stop)
}

// departures runs a scenario and follows the queue towards h2 on the wires of its switch: arrivals less departures. A
// frame that arrives at the instant at which another leaves is in the queue by then. Frames leave in the order of their
// arrival: the queue is one, and nothing is dropped.
func departures(yaml string) (list []departure) {
	r, file := lab.Capture(lab.Plans(yaml)[0], lab.Options{Algorithms: capable}, "s0:0", "s0:1", "s0:2")
	ExpectWithOffset(1, r.Summary.Drops+r.Summary.Pauses).To(BeZero())
	type arrival struct {
		qp, psn uint32
		met     unit.Bytes
	}
	var queue []arrival
	var length unit.Bytes
	for _, f := range lab.Frames(file) {
		p := f.Decode()
		bth := lab.BTH(p)
		if !lab.IsData(bth) {
			continue
		}
		size := unit.Bytes(len(f.Bytes))
		if f.Direction == pcapng.Inbound {
			queue = append(queue, arrival{bth.DestQP, bth.PSN, length})
			length += size
			continue
		}
		ExpectWithOffset(1, queue[0].qp == bth.DestQP && queue[0].psn == bth.PSN).To(BeTrue(), "frames overtake each other")
		length -= size
		const ce = 3
		list = append(list, departure{f.At, length, queue[0].met, lab.IPv4(p).TOS&3 == ce})
		queue = queue[1:]
	}
	return list
}

// curve is a WRED profile at the bottleneck's rate.
type curve struct {
	kmin, kmax unit.Bytes
	pmax       float64
}

// probability is P of section 3.1: 0 up to Kmin, Pmax (q-Kmin)/(Kmax-Kmin) up
// to Kmax, 1 above.
func (c curve) probability(q unit.Bytes) float64 {
	switch {
	case q <= c.kmin:
		return 0
	case q > c.kmax:
		return 1
	}
	return c.pmax * float64(q-c.kmin) / float64(c.kmax-c.kmin)
}

// sigmas bounds how far the number of marks in a bin may lie from its
// expectation, in standard deviations of a sum of independent draws with the
// probabilities of the frames' own queue lengths. A right switch misses a given
// bin with probability 6e-5, one of fifteen with 1e-3; the seed is fixed.
const sigmas = 4

// bins is the number of bins between Kmin and Kmax.
const bins = 12

// criteria hold marks against a curve. Outside of (Kmin, Kmax] it is exact,
// between them within the binomial bound in each bin. Rows are written to t
// unless it is nil.
func criteria(list []departure, k curve, of func(*departure) unit.Bytes, t *lab.Table) (c lab.Criteria) {
	type bin struct {
		frames, marks  int
		mean, variance float64
	}
	// Bin 0 is up to Kmin, the last one above Kmax.
	b := make([]bin, bins+2)
	for i := range list {
		q := of(&list[i])
		n := 0
		switch p := k.probability(q); {
		case q > k.kmax:
			n = bins + 1
		case q > k.kmin:
			n = 1 + int((q-k.kmin-1)*bins/(k.kmax-k.kmin))
			b[n].mean += p
			b[n].variance += p * (1 - p)
		}
		b[n].frames++
		if list[i].marked {
			b[n].marks++
		}
	}
	last := &b[bins+1]
	last.mean = float64(last.frames)
	for n := range b {
		from, to := k.kmin+unit.Bytes(n-1)*(k.kmax-k.kmin)/bins, k.kmin+unit.Bytes(n)*(k.kmax-k.kmin)/bins
		name := fmt.Sprintf("%v to %v", from, to)
		if n == 0 {
			name = fmt.Sprintf("up to %v", k.kmin)
		} else if n > bins {
			name = fmt.Sprintf("above %v", k.kmax)
		}
		if b[n].frames == 0 {
			// A step has no room between Kmin and Kmax.
			c.Want(k.kmin == k.kmax && n > 0 && n <= bins, "%s: no frame", name)
			continue
		}
		off := math.Abs(float64(b[n].marks) - b[n].mean)
		c.Want(off <= sigmas*math.Sqrt(b[n].variance), "%s: %d of %d marked, expected %.1f", name, b[n].marks,
			b[n].frames, b[n].mean)
		if t != nil {
			t.Row(name, b[n].frames, b[n].marks, fmt.Sprintf("%.1f", b[n].mean),
				fmt.Sprintf("%.1f", sigmas*math.Sqrt(b[n].variance)))
		}
	}
	return c
}

func left(d *departure) unit.Bytes { return d.left }
func met(d *departure) unit.Bytes  { return d.met }

var columns = []string{"queue", "frames", "marked", "expected", "allowed off"}

// Together 104 Gb/s: half a megabyte a millisecond.
const slow, slowStop = "52Gbps", "4.4ms"

var _ = Describe("a queue that climbs through all lengths", Label("ecn", "capture"), func() {
	DescribeTable("marks none up to Kmin, by the curve up to Kmax, all above",
		func(ecn string, k curve) {
			list := departures(climb(slow, slowStop, ecn))
			t := lab.NewTable(columns...)
			c := criteria(list, k, left, t)
			t.Report("marks by the length of the queue left behind: " + ecn)
			Expect(c.Missed).To(BeEmpty())
		},
		Entry("as it does by default", "enabled: true", curve{400_000, 1600_000, 0.2}),
		Entry("with NVIDIA's thresholds", "kmin: 150000B, kmax: 1500000B, pmax: 1", curve{150_000, 1500_000, 1}),
		Entry("with a step", "kmin: 184320B, kmax: 184320B, pmax: 1", curve{184_320, 184_320, 1}),
		Entry("with thresholds that are given at a quarter of the port's rate",
			"kmin: 100KB, kmax: 400KB, pmax: 0.5, scale_rate: 25Gbps",
			curve{400_000, 1600_000, 0.5}),
	)

	standard, step := curve{400_000, 1600_000, 0.2}, curve{184_320, 184_320, 1}
	DescribeTable("misses the criteria of its profile", Label("mutant"),
		func(ecn string, k curve) {
			c := criteria(departures(climb(slow, slowStop, ecn)), k, left, nil)
			AddReportEntry(ecn, c.String(), ReportEntryVisibilityFailureOrVerbose)
			Expect(c.Missed).NotTo(BeEmpty())
		},
		Entry("with thresholds read as bits", "kmin: 50KB, kmax: 200KB", standard),
		Entry("with Pmax of the DCQCN paper, 0.01", "pmax: 0.01", standard),
		Entry("without the step to 1 at Kmax", "kmax: 100MB, pmax: 1", standard),
		Entry("with marking off", "enabled: false", standard),
		Entry("with a threshold that is one frame too low", "kmin: 183262B, kmax: 183262B, pmax: 1", step),
		Entry("with a threshold that is one frame too high", "kmin: 185378B, kmax: 185378B, pmax: 1", step),
	)
})

var _ = Describe("the point of marking", Label("ecn", "capture"), func() {
	const threshold = 400_000
	step := curve{threshold, threshold, 1}
	// Two senders at line rate: the queue grows as fast as it drains, so that a
	// frame leaves a queue behind that is twice as long as the one that it met.
	run := func(point string) []departure {
		return departures(climb("100Gbps", "150us", "kmin: 400KB, kmax: 400KB, pmax: 1, point: "+point))
	}

	It("is the queue left behind at dequeue, the queue met at enqueue, and not the other way round", func() {
		for _, x := range []struct {
			point        string
			right, other func(*departure) unit.Bytes
		}{{"dequeue", left, met}, {"enqueue", met, left}} {
			list := run(x.point)
			Expect(criteria(list, step, x.right, nil).Missed).To(BeEmpty(), x.point)
			Expect(criteria(list, step, x.other, nil).Missed).NotTo(BeEmpty(), x.point)
		}
	})

	It("is younger by one queueing time at dequeue", func() {
		first := func(point string) unit.Time {
			for _, d := range run(point) {
				if d.marked {
					return d.at
				}
			}
			Fail("nothing is marked")
			return 0
		}
		dequeue, enqueue := first("dequeue"), first("enqueue")
		// 400 KB are 378.1 frames of 1058 B, which take 86.56 ns each with the
		// 24 B around them: 32.73 us, in whole frames.
		const frame = 86_560 * unit.Picosecond
		queueing := unit.Duration(threshold * int64(frame) / 1058)
		AddReportEntry("first mark on the wire", fmt.Sprintf("dequeue %v, enqueue %v: %v later; 400 KB take %v", dequeue,
			enqueue,
			enqueue.Sub(dequeue), queueing), ReportEntryVisibilityFailureOrVerbose)
		Expect(enqueue.Sub(dequeue)).To(BeNumerically("~", queueing, 2*frame))
	})
})

var _ = Describe("frames that are not ECN-capable", Label("ecn"), func() {
	It("pass unmarked in a lossless class and are dropped by WRED in a lossy one", func() {
		lossless := lab.Simulate(climb(slow, slowStop, "enabled: true")).Summary
		Expect(lossless.QueueMaxBytes).To(BeNumerically(">", 1_600_000))
		Expect(lossless.Marks + lossless.Drops).To(BeZero())
		lossy := lab.Simulate(climb(slow, slowStop, "enabled: true") + "switches: {s0: {pfc: {enabled: false}}}\n")
		Expect(lossy.Summary.Marks).To(BeZero())
		Expect(lossy.Summary.Drops).To(BeNumerically(">", 0))
		Expect(lab.Metric("drops_wred")(lossy)).To(Equal(float64(lossy.Summary.Drops)))
	})
})
