package live

import (
	"fmt"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// What must be red on any machine, however fast.
var _ = Describe("a run that does not keep the clock", Label("live", "slow"), func() {
	BeforeEach(func() {
		lab.SkipUnlessSlow()
		lab.Tool("iperf3")
		lab.Tool("ping")
	})

	It("is red where its daemon is stopped for a second; TCP goes on, and every byte arrives", func() {
		hosts, middle := pairOfHosts(1500)
		p := twoEdges(middle, 6*time.Second, tcpSwitch("30KB", "90KB"), "200Mbps", "50Mbps")
		b := deploy(p, veth.Pool)
		pid := poolOf(b)
		server := start(hosts[1], "iperf3 -s -1")
		var client *running
		var stopped sync.WaitGroup
		got := runLive(b, p, veth.Options{Dilation: 1, Progress: onceBegun(func() {
			client = start(hosts[0], fmt.Sprintf("iperf3 -c %s -t 3 -C cubic", hosts[1].IP))
			stopped.Go(func() {
				time.Sleep(time.Second)
				unix.Kill(pid, unix.SIGSTOP)
				time.Sleep(time.Second)
				unix.Kill(pid, unix.SIGCONT)
			})
		})})
		stopped.Wait()
		report("a daemon that is stopped for a second", got)
		Expect(client.said(20 * time.Second)).To(ContainSubstring("iperf Done."))
		Expect(server.said(20 * time.Second)).To(ContainSubstring("receiver"))
		Expect(got.Time.Standstills).NotTo(BeEmpty())
		Expect(got.Time.Standstills[0].Who).To(Equal("the pool's daemon"))
		Expect(got.Time.Status()).To(Equal(result.Red))
		Expect(result.ExitCode(got.Verdict)).To(Equal(exit.CodeVerdict))
	})

	// At 100 Gb/s an incast of ours takes a thousand times its time here: hosts outside notice that.
	It("is red where K is too small for what the fabric does", func() {
		hosts, middle := pairFrom(1500, 5) // five NICs of ours come before
		p := beside(middle)
		b := deploy(p, veth.Pool)
		ping := start(hosts[0], fmt.Sprintf("ping -n -q -i 0.002 %s", hosts[1].IP)) // from before the run's first 100 ms
		got := runLive(b, p, veth.Options{Dilation: 1})
		ping.End()
		report("an incast of 100 Gb/s at K = 1", got)
		Expect(got.Time.Judged()).To(BeTrue())
		Expect(got.Time.Status()).To(Equal(result.Red))
	})
})

// poolOf is the process of the pool's daemon.
func poolOf(b *veth.Testbed) int {
	GinkgoHelper()
	for i := range b.Containers {
		if b.Containers[i].Kind == "pool" {
			return b.Containers[i].Pid
		}
	}
	Fail("the testbed has no pool")
	return 0
}

// beside is an incast of ours for some 13 ms, beside two edges at the same switch.
func beside(middle string) *plan.Plan {
	GinkgoHelper()
	return lab.Plans(fmt.Sprintf(`
name: beside
run: {until: 100ms}
algorithm: none
traffic: [{kind: incast, size: 40MB}]
topology: {kind: star, hosts: 7, rate: 100Gbps, latency: 1us}
edges:
  - {node: h5, interface: out0, namespace: %[1]s}
  - {node: h6, interface: out1, namespace: %[1]s}
`, middle))[0]
}
