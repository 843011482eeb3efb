package live

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/lab"
	testbed "github.com/rocelab/rocelab/testbed/veth"
)

// tcpSwitch is a port of 50 Mb/s behind one of 200 Mb/s, which marks from kmin on.
func tcpSwitch(kmin, kmax string) string {
	return fmt.Sprintf(`
switch:
  pfc: {enabled: false}
  ecn: {kmin: %s, kmax: %s, scale_rate: 0bps}
`, kmin, kmax)
}

// droppingSwitch is one that drops by RED what it cannot mark.
func droppingSwitch(kmin, kmax string) string {
	return tcpSwitch(kmin, kmax) + "  drop_not_ect: true\n"
}

// Perl sends a file whole; iperf3 -F ends before all is there, and writes blocks that it read in part.
const (
	takesFile = `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalPort => 7000, Listen => 1) or die $!;
$c = $s->accept; open F, ">", $ARGV[0]; while (sysread($c, $b, 65536)) { syswrite F, $b }' `
	sendsFile = `perl -MIO::Socket::INET -e '$c = IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => 7000) or die $!;
setsockopt($c, 6, 13, "cubic") or die $!; open F, "<", $ARGV[1];
while (sysread(F, $b, 65536)) { for ($o = 0; $o < length $b; $o += syswrite($c, $b, length($b) - $o, $o)) {} }' `
)

// transfer is what iperf3 did, and what a file of 3 MB became that was sent after it.
type transfer struct {
	plan   *plan.Plan
	run    *lab.Run
	folder string // with the journals
	// sent and came are SHA-256 of the file at its two ends.
	sent, came string
	stack      string // what ss -ti said of the connection meanwhile
	said       string // by both ends
}

// send sends through a switch, with ECN (1) or without (0).
func send(between string, ecn int) (t transfer) {
	GinkgoHelper()
	hosts, middle := pairOfHosts(1500)
	p := twoEdges(middle, 6*time.Second, between, "200Mbps", "50Mbps")
	t.plan = p
	b := deploy(p, testbed.Pool)
	dir := GinkgoT().TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	server := start(hosts[1], "iperf3 -s -1; "+takesFile+out)
	var client *running
	t.run, t.folder = recorded(b, p, testbed.Options{Dilation: 1, Progress: onceBegun(func() {
		ip := hosts[1].IP.String()
		client = start(hosts[0], fmt.Sprintf("echo %[4]d > /proc/sys/net/ipv4/tcp_ecn; "+
			"head -c 3000000 /dev/urandom > %[2]s; (for i in 1 2 3 4 5 6; do sleep 0.2; ss -tin dst %[1]s; done) & "+
			"iperf3 -c %[1]s -n 5M -C cubic; wait; "+
			"%[3]s %[1]s %[2]s; grep ^Tcp: /proc/net/snmp", ip, in, sendsFile, ecn))
	})})
	t.stack = client.said(20 * time.Second)
	t.said = t.stack + server.said(20*time.Second)
	before, err := os.ReadFile(in)
	Expect(err).NotTo(HaveOccurred())
	after, err := os.ReadFile(out)
	Expect(err).NotTo(HaveOccurred())
	Expect(len(before)).To(Equal(3_000_000), t.said)
	Expect(len(after)).To(Equal(len(before)), t.said)
	t.sent, t.came = fmt.Sprintf("%x", sha256.Sum256(before)), fmt.Sprintf("%x", sha256.Sum256(after))
	return t
}

// retransmitted is the kernel's count of segments that it sent again: RetransSegs (RFC 4022).
func retransmitted(said string) (n int) {
	GinkgoHelper()
	var names, values []string
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "Tcp: Rto") {
			names = strings.Fields(line)
		} else if strings.HasPrefix(line, "Tcp: ") {
			values = strings.Fields(line)
		}
	}
	at := slices.Index(names, "RetransSegs")
	Expect(at).To(BeNumerically(">", 0), said)
	n, err := strconv.Atoi(values[at])
	Expect(err).NotTo(HaveOccurred())
	return n
}

var _ = Describe("TCP of the kernel, with all offloads on", Label("live"), func() {
	BeforeEach(func() {
		lab.SkipUnlessSlow()
		lab.Tool("iperf3")
		lab.Tool("perl")
	})

	It("carries every byte through the fabric, and answers to its marks", func() {
		t := send(tcpSwitch("30KB", "90KB"), 1)
		report("5 MB by iperf3 at 50 Mb/s", t.run)
		Expect(t.came).To(Equal(t.sent))
		Expect(t.stack).To(ContainSubstring(" cubic "))
		Expect(t.stack).To(MatchRegexp(`delivered_ce:[1-9]`))
		Expect(lab.Metric("marks")(t.run)).To(BeNumerically(">", 0))
		Expect(lab.Metric("drops")(t.run)).To(BeZero())
		expectReplay(t.plan, t.folder, t.run)
	})

	// Control of the one before: marks are the switch's.
	It("sees no mark where the switch has none to give", func() {
		t := send(tcpSwitch("6MB", "7MB"), 1)
		Expect(t.came).To(Equal(t.sent))
		Expect(t.stack).To(ContainSubstring(" cubic "))
		Expect(t.stack).NotTo(MatchRegexp(`delivered_ce:[1-9]`))
		Expect(lab.Metric("marks")(t.run)).To(BeZero())
	})

	// Control: without drop_not_ect nothing is dropped, and the queue is as long as the window.
	It("loses to RED alone, with ECN off, and sends again what was lost", func() {
		t := send(droppingSwitch("30KB", "90KB"), 0)
		report("5 MB by iperf3 at 50 Mb/s, dropped by RED", t.run)
		Expect(t.came).To(Equal(t.sent))
		red, metric := lab.Metric("drops_wred")(t.run), func(name string) float64 { return lab.Metric(name)(t.run) }
		Expect(red).To(BeNumerically(">", 0))
		Expect(metric("drops")).To(Equal(red))
		Expect(metric("marks")).To(BeZero())
		// What came in has left, was dropped by RED, or is still under way.
		Expect(metric("foreign_in") - metric("foreign_out") - red).To(BeNumerically("<", 3))
		for i := range t.run.Time.Edges {
			Expect(t.run.Time.Edges[i].LostOutside()).To(BeZero())
		}
		Expect(retransmitted(t.stack)).To(BeNumerically(">", 0))
		expectReplay(t.plan, t.folder, t.run)
	})
})
