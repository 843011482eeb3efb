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

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
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
	sendsFile = `perl -MIO::Socket::INET -e 'for (1..50) { # the other end is not there at once
$c = IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => 7000) and last; select undef, undef, undef, 0.1 }
setsockopt($c, 6, 13, "cubic") or die $!; open F, "<", $ARGV[1];
while (sysread(F, $b, 65536)) { for ($o = 0; $o < length $b; $o += syswrite($c, $b, length($b) - $o, $o)) {} }' `
)

// transfer is the record of iperf3, and of a file of 3 MB that was sent after it.
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
	b := deploy(p, veth.Pool)
	dir := GinkgoT().TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	server := start(hosts[1], "iperf3 -s -1; "+takesFile+out)
	var client *running
	t.run, t.folder = recorded(b, p, veth.Options{Dilation: 1, Progress: onceBegun(func() {
		ip := hosts[1].IP.String()
		client = start(hosts[0], fmt.Sprintf("echo %[4]d > /proc/sys/net/ipv4/tcp_ecn; "+
			"head -c 3000000 /dev/urandom > %[2]s; iperf3 -c %[1]s -n 5M -C cubic & "+
			"while kill -0 $!; do ss -tin dst %[1]s; sleep 0.1; done 2>/dev/null; wait; "+
			"%[3]s %[1]s %[2]s; sleep 0.3; grep -h ^Tcp /proc/net/snmp /proc/net/netstat", ip, in, sendsFile, ecn))
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

// counted is one of the kernel's counters of TCP, of the group Tcp (RFC 4022) or TcpExt.
func counted(said, group, name string) (n int) {
	GinkgoHelper()
	var lines [][]string // the names, and then the values
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, group+": ") {
			lines = append(lines, strings.Fields(line))
		}
	}
	Expect(lines).To(HaveLen(2), said)
	at := slices.Index(lines[0], name)
	Expect(at).To(BeNumerically(">", 0), said)
	n, err := strconv.Atoi(lines[1][at])
	Expect(err).NotTo(HaveOccurred())
	return n
}

// fate is the fate of the segments that came from the client, by a capture of the switch in a replay: the number
// dropped, and of acknowledgements beside them; the number sent again, and of these the number without any dropped
// data.
type fate struct{ dropped, acknowledgements, again, needless int }

// sequence is the data that a flow has sent: up to an end, without dropped data that was not sent again. Numbers count
// from the flow's first.
type sequence struct {
	first   uint32
	end     uint32
	missing map[uint32]bool
}

func fateOf(p *plan.Plan, folder string) (f fate) {
	GinkgoHelper()
	_, file := lab.Capture(p, lab.Options{Lossy: true, Options: mem.Options{Edges: journals(folder)}}, "s0:0", "s0:1")
	flows := map[gopacket.Flow]*sequence{}
	for _, frame := range lab.Frames(file) {
		tcp, ok := frame.Decode().Layer(layers.LayerTypeTCP).(*layers.TCP)
		if !ok {
			continue
		}
		length := uint32(len(tcp.Payload))
		if tcp.SYN || tcp.FIN { // they have a number, too
			length++
		}
		flow := flows[tcp.TransportFlow()]
		if flow == nil {
			flow = &sequence{first: tcp.Seq, missing: map[uint32]bool{}}
			flows[tcp.TransportFlow()] = flow
		}
		from := tcp.Seq - flow.first
		switch dropped := strings.Contains(frame.Comment, "dropped: wred"); {
		case length == 0:
			if dropped {
				f.acknowledgements++
			}
		case dropped: // after it came in
			f.dropped++
			for i := range length {
				flow.missing[from+i] = true
			}
		case frame.Direction == pcapng.Inbound && frame.Port == "s0:0":
			if from < flow.end {
				f.again++
				before := len(flow.missing)
				for i := range length {
					delete(flow.missing, from+i)
				}
				if len(flow.missing) == before {
					f.needless++
				}
			}
			flow.end = max(flow.end, from+length)
		}
	}
	for name, flow := range flows {
		Expect(flow.missing).To(BeEmpty(), "dropped and never sent again: %v", name)
	}
	return f
}

var _ = Describe("TCP of the kernel, with all offloads on", Label("live", "slow"), func() {
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

	// Control: without drop_not_ect nothing is dropped, and the queue is as long as the window. An edge that
	// loses one frame in a hundred and counts it as sent has TCP send again what RED did not drop.
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
		was := fateOf(t.plan, t.folder)
		// Every segment that TCP found lost is a drop of RED, and the rest of these had no data. A needless
		// retransmission was a probe, or the server reported that it had the data (D-SACK, RFC 2883). One segment may
		// carry the data of several small ones.
		Expect(float64(was.dropped + was.acknowledgements)).To(Equal(red))
		needed := was.again - was.needless
		Expect(needed).To(And(BeNumerically(">", 0), BeNumerically("<=", was.dropped)))
		Expect(was.needless).To(BeNumerically("<=", 1+counted(t.stack, "TcpExt", "TCPDSACKRecv")+
			counted(t.stack, "TcpExt", "TCPLossProbes")))
		Expect(counted(t.stack, "Tcp", "RetransSegs")).To(And(BeNumerically(">=", needed), BeNumerically("<=", was.again)))
		Expect(t.stack).To(ContainSubstring(" cubic "))
		Expect(t.stack).NotTo(MatchRegexp(`delivered_ce:[1-9]`))
		expectReplay(t.plan, t.folder, t.run)
	})
})
