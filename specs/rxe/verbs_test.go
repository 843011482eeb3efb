package rxe

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/rxe/guest"
)

// between is a NIC of ours and a machine with soft-RoCE, with one switch between them.
const peered = `
name: peer
mtu: 1024B
topology:
  nodes:
    - {name: h0}
    - {name: guest, kind: edge, interface: rxe0, namespace: %[1]s, mtu: 1500B}
    - {name: s, kind: switch}
  links:
    - {endpoints: [h0, s], rate: 100Mbps, latency: 500us}
    - {endpoints: [guest, s], rate: 100Mbps, latency: 500us}
switch: {pfc: {enabled: false}, ecn: {kmin: 30KB, kmax: 90KB, scale_rate: 0bps}}
run: {until: %[2]s}
%[3]speers:
`

// far is rocelab-peer in a machine.
type far struct {
	machine *guest.Guest
	number  int
	numbers string // what it prints of itself: keys of the scenario
}

// startFar starts the program.
func startFar(g *guest.Guest, number int, options string) *far {
	GinkgoHelper()
	f := &far{machine: g, number: number}
	run(g, limit, fmt.Sprintf("rm -f /tmp/in%[1]d /tmp/out%[1]d; mkfifo /tmp/in%[1]d; (sleep 100000 >/tmp/in%[1]d &) ; "+
		"(rocelab-peer -d rxe0 -g 1 %[2]s </tmp/in%[1]d >/tmp/out%[1]d 2>&1 &) ; "+
		"until [ -s /tmp/out%[1]d ]; do sleep 0.05; done", number, options))
	said := run(g, limit, fmt.Sprintf("head -n 1 /tmp/out%d", number))
	f.numbers = strings.TrimPrefix(strings.TrimSpace(said), "peer: ")
	Expect(f.numbers).To(HavePrefix("ip: "), said)
	return f
}

// ask has it do one line, and returns its answer.
func (f *far) ask(limit time.Duration, line string) string {
	GinkgoHelper()
	said := run(f.machine, limit, fmt.Sprintf("n=$(wc -l </tmp/out%[1]d); echo '%[2]s' >/tmp/in%[1]d; "+
		"until [ $(wc -l </tmp/out%[1]d) -gt $n ]; do usleep 20000; done; tail -n 1 /tmp/out%[1]d", f.number, line))
	return strings.TrimSpace(said)
}

// report is the digests that it has.
func (f *far) report() map[string]string {
	GinkgoHelper()
	values := map[string]string{}
	for _, word := range strings.Fields(f.ask(limit, "report")) {
		key, value, _ := strings.Cut(word, "=")
		values[key] = value
	}
	return values
}

// own is what validate prints of our ends.
type own struct {
	IP, MAC string
	QP, PSN uint32
	RKey    uint32
	VA      uint64
	Length  uint64
	MTU     int
}

func ownEnds(program, scenario string) []own {
	GinkgoHelper()
	out, err := exec.Command(program, "validate", scenario, "--format", "json").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	var reports []struct{ Peers []own }
	Expect(json.Unmarshal(out, &reports)).To(Succeed())
	return reports[0].Peers
}

func (o *own) connect() string {
	return fmt.Sprintf("connect %s %d %d %d %d %d %d", o.IP, o.QP, o.PSN, o.RKey, o.VA, o.Length, o.MTU)
}

// peerRows are the rows of peers.csv in a run's folder, by name of the peer.
func peerRows(folder string) map[string]map[string]string {
	GinkgoHelper()
	found, err := filepath.Glob(filepath.Join(folder, "*", "peers.csv"))
	Expect(err).NotTo(HaveOccurred())
	Expect(found).To(HaveLen(1), "run folder %s", folder)
	file, err := os.Open(found[0])
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	Expect(err).NotTo(HaveOccurred())
	rows := map[string]map[string]string{}
	for _, r := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = r[i]
		}
		rows[row["node"]] = row
	}
	return rows
}

// meeting is a run of ours with peers in a machine.
type meeting struct {
	*crossing
	peers []*far
}

// meet starts the programs, writes the scenario, and starts the run. Entries are, for each peer, its keys beside the
// machine's numbers, and options the program's.
func meet(program, path string, g *guest.Guest, loss float64, until string, entries, options []string) *meeting {
	GinkgoHelper()
	m := &meeting{}
	faults := ""
	if loss > 0 {
		faults = fmt.Sprintf("faults: [{link: h0-s, loss: %g}]\n", loss)
	}
	text := fmt.Sprintf(peered, path, until, faults)
	for i, entry := range entries {
		f := startFar(g, i, options[i])
		m.peers = append(m.peers, f)
		text += fmt.Sprintf("  - {edge: guest, name: p%d, mac: \"02:00:00:00:00:01\", %s, %s}\n", i, f.numbers, entry)
	}
	work := GinkgoT().TempDir()
	scenario := filepath.Join(work, "rxe.yaml")
	Expect(os.WriteFile(scenario, []byte(text), 0o600)).To(Succeed())
	ends := ownEnds(program, scenario)
	for i, f := range m.peers {
		Expect(f.ask(limit, ends[i].connect())).To(Equal("ok"))
	}
	folder := filepath.Join(work, "run")
	m.crossing = start(program, "run", scenario, "--on", "live", "--out", folder, "--progress", "none")
	m.folder = folder
	return m
}

// end stops the programs, too.
func (m *meeting) stop() map[string]map[string]string {
	GinkgoHelper()
	m.crossing.end()
	return peerRows(m.folder)
}

var _ = Describe("A NIC of ours and a machine with soft-RoCE", Ordered, func() {
	var (
		machine       *guest.Guest
		path, program string
	)

	BeforeAll(func(ctx SpecContext) {
		program = build()
		path = space()
		// Station 0 is ours, so that the machine is station 1.
		var err error
		machine, err = guest.Start(ctx, guest.Config{
			Image:      booted,
			Tap:        tap(path, "rxe0", 1500),
			MAC:        macs[0],
			Address:    netip.MustParsePrefix("10.0.0.2/8"),
			MTU:        1500,
			Neighbours: map[netip.Addr]net.HardwareAddr{netip.MustParseAddr("10.0.0.1"): {2, 0, 0, 1, 0, 0}},
		})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(machine.Close)
	})

	It("write, send and read, both ways", func() {
		m := meet(program, path, machine, 0, "300s",
			[]string{"work: [{verb: write, length: 1MiB}, {verb: write-imm, length: 3000B}, {verb: send, length: 4000B}, " +
				"{verb: send-imm, length: 5B}, {verb: read, length: 100KB}]"}, []string{""})
		for _, line := range []string{"write 100000", "write-imm 3000", "send 4000", "send-imm 7", "read 100000"} {
			Expect(m.peers[0].ask(limit, line)).To(HavePrefix("ok"), line)
		}
		Expect(m.peers[0].ask(limit, "await 3 60000")).To(HavePrefix("ok"))
		time.Sleep(2 * time.Second)
		there, here := m.peers[0].report(), m.stop()["p0"]
		fmt.Fprintln(GinkgoWriter, there, here, softRoCE(machine))
		Expect(here["status"]).To(Equal("success"))
		Expect(there["memory"]).To(Equal(here["shadow_digest"]))
		Expect(there["shadow"]).To(Equal(here["memory_digest"]))
		Expect(there["received"]).To(Equal(here["sent_digest"]))
		Expect(there["sent"]).To(Equal(here["received_digest"]))
		Expect(there["mismatches"]).To(Equal("0"))
		Expect(here["read_errors"]).To(Equal("0"))
	})
})
