package live

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/tier"
	"github.com/rocelab/rocelab/testbed/nodes/live/stack"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// runs is the number of measurements of each figure: once if the specs are run with all others, ten times by hand.
func runs() int {
	if tier.RunsNight() {
		return 10
	}
	return 1
}

// flow is a flow in iperf3's JSON.
type flow struct {
	End struct {
		Sent struct {
			Retransmits int `json:"retransmits"`
		} `json:"sum_sent"`
		Received struct {
			Rate float64 `json:"bits_per_second"`
		} `json:"sum_received"`
		Streams []struct {
			Sender struct {
				RTT float64 `json:"mean_rtt"` // us
				// Window is the largest that the receiver announced: what -w makes of its buffer.
				Window float64 `json:"max_snd_wnd"`
			} `json:"sender"`
		} `json:"streams"`
	} `json:"end"`
	Error string `json:"error"`
}

// measured is a flow through the fabric, and the run that carried it.
type measured struct {
	flow
	run *lab.Run
	// least is the least RTT of ten pings before the flow.
	least time.Duration
}

// judged reports whether the clock was kept so well that figures of time count.
func (m *measured) judged() bool { return m.run.Time.Status() == result.Pass }

// measure runs iperf3 between two hosts, over a plan of two edges; before is run first in the receiver's shell.
func measure(hosts [2]*stack.Host, p *plan.Plan, before string) (m measured) {
	GinkgoHelper()
	b := deploy(p, veth.Pool)
	start(hosts[1], before+"iperf3 -s -1")
	var client *running
	ip := hosts[1].IP.String()
	m.run = runLive(b, p, veth.Options{Dilation: 1, Progress: onceBegun(func() {
		client = start(hosts[0], fmt.Sprintf("echo 1 > /proc/sys/net/ipv4/tcp_ecn; ping -n -q -c 10 -i 0.05 %[1]s; "+
			"iperf3 -c %[1]s -t 2 -O 1 -C cubic -J", ip))
	})})
	said := client.said(20 * time.Second)
	at := strings.Index(said, "{")
	Expect(at).To(BeNumerically(">=", 0), said)
	Expect(json.Unmarshal([]byte(said[at:]), &m.flow)).To(Succeed(), said)
	Expect(m.Error).To(BeEmpty())
	times := regexp.MustCompile(`min/avg/max/mdev = ([0-9.]+)/`).FindStringSubmatch(said)
	Expect(times).To(HaveLen(2), said)
	ms, err := strconv.ParseFloat(times[1], 64)
	Expect(err).NotTo(HaveOccurred())
	m.least = time.Duration(ms * float64(time.Millisecond))
	return m
}

// row adds a flow to a table.
func (m *measured) row(t *lab.Table, what string, ceiling float64) {
	words := map[result.Status]string{result.Pass: "green", result.Amber: "amber", result.Red: "red"}
	verdict := words[m.run.Time.Status()]
	worst := &m.run.Time.Edges[0]
	for i := range m.run.Time.Edges {
		if e := &m.run.Time.Edges[i]; e.Lateness.Quantile(0.99) > worst.Lateness.Quantile(0.99) {
			worst = e
		}
	}
	us := func(q float64) string { return fmt.Sprintf("%.0f", float64(worst.Lateness.Quantile(q))/1e3) }
	t.Row(what, verdict, fmt.Sprintf("%.1f", m.End.Received.Rate/1e6), fmt.Sprintf("%.3f", m.End.Received.Rate/ceiling),
		m.End.Sent.Retransmits, fmt.Sprintf("%.3f", float64(m.least)/1e6), us(0.5), us(0.99), us(0.999))
}

func flowTable() *lab.Table {
	return lab.NewTable("flow", "on time", "Mb/s", "of ceiling", "retransmitted", "least RTT ms", "late p50 us", "p99",
		"p99.9")
}

// payload is the share of a link that 1448 B of each frame are, which takes 1538 B of it.
const payload = 1448.0 / 1538

// longHaul is 120 km between the devices of two hosts, at 100 Mb/s.
func longHaul(middle string, until time.Duration) *plan.Plan {
	GinkgoHelper()
	return lab.Plans(fmt.Sprintf(`
name: long-haul
run: {until: %v}
switch:
  pfc: {enabled: false}
  ecn: {kmin: 150KB, kmax: 450KB, scale_rate: 0bps}
  dci: {buffer: 2MB, ecn: {kmin: 150KB, kmax: 450KB}}
topology:
  rate: 1Gbps
  nodes:
    - {name: w, kind: switch}
    - {name: e, kind: switch}
    - {name: a, kind: edge, interface: out0, namespace: %[2]s}
    - {name: b, kind: edge, interface: out1, namespace: %[2]s}
  links:
    - {endpoints: [a, w]}
    - {endpoints: [b, e]}
    - {endpoints: [w, e], wan: {length: 120km, wavelength_rate: 1Gbps}}
`, until, middle))[0]
}

var _ = Describe("a flow of cubic with ECN", Label("live", "slow"), func() {
	BeforeEach(func() {
		lab.SkipUnlessSlow()
		lab.Tool("iperf3")
		lab.Tool("ping")
	})

	// Figures of time count only where the clock was kept.
	It("fills a link of 100 Mb/s and one of 1 Gb/s, where the verdict on time is green", func() {
		t := flowTable()
		for _, rate := range []struct {
			in, out, kmin, kmax string
			bits                float64
		}{
			{"200Mbps", "100Mbps", "30KB", "90KB", 100e6},
			{"2Gbps", "1Gbps", "50KB", "150KB", 1e9},
		} {
			for range runs() {
				hosts, middle := pairOfHosts(1500)
				m := measure(hosts, twoEdges(middle, 5*time.Second, tcpSwitch(rate.kmin, rate.kmax), rate.in, rate.out), "")
				m.row(t, rate.out, rate.bits*payload)
				if !m.judged() {
					t.Remark("%s: not judged: %s", rate.out, lagOf(m.run))
					continue
				}
				Expect(m.End.Received.Rate).To(BeNumerically(">=", 0.95*rate.bits*payload), rate.out)
				Expect(m.End.Sent.Retransmits).To(BeZero(), rate.out)
			}
		}
		t.Report("TCP through a switch at K = 1")
	})

	// Model time is exact, so that a round trip is never shorter; longer ones count where the verdict is green.
	It("takes the time of 120 km, and is held to its window by it where the verdict on time is green", func() {
		// A route holds the window that the receiver announces; iperf3 -w sets buffers, from which the kernel makes
		// windows of 65 to 81 KB.
		const clamp = "ip route replace 10.0.0.0/8 dev eth0 window 65535; "
		t := flowTable()
		for range runs() {
			hosts, middle := pairOfHosts(1500)
			m := measure(hosts, longHaul(middle, 5*time.Second), clamp)
			sender := &m.End.Streams[0].Sender
			ceiling := sender.Window * 8 / (sender.RTT * 1e-6)
			m.row(t, fmt.Sprintf("120 km, window %.1f KB", sender.Window/1e3), ceiling)
			Expect(m.least).To(BeNumerically(">=", 1400*time.Microsecond))
			if !m.judged() {
				t.Remark("not judged: %s", lagOf(m.run))
				continue
			}
			// The model holds the ceiling. Anything below it is due to the hosts: a machine with other work may let
			// iperf3 wait while the fabric keeps time.
			Expect(m.End.Received.Rate).To(And(BeNumerically("<=", 1.1*ceiling), BeNumerically(">=", 0.75*ceiling)))
		}
		t.Report("TCP over 120 km; the ceiling is window / RTT")
	})
})

// lagOf describes the lag of model time.
func lagOf(r *lab.Run) string {
	return fmt.Sprintf("model time was behind by p50 %v, p99 %v", time.Duration(r.Time.Lag.Quantile(0.5)),
		time.Duration(r.Time.Lag.Quantile(0.99)))
}
