package rxe

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/rxe/guest"
)

// limit is the maximum time of a tool, so that one that hangs ends.
const limit = 3 * time.Minute

// perftest runs one of its tools against itself in the other machine, and returns the client's output. Addresses of
// IPv4 are the second of soft-RoCE's.
func (m *machines) perftest(server netip.Addr, tool string, options ...string) string {
	GinkgoHelper()
	line := strings.Join(append([]string{tool, "-d rxe0 -x 1 -F"}, options...), " ")
	const listens = "grep -q ':4853 00000000:0000 0A' /proc/net/tcp" // on its port, 18515
	return m.between(line, listens, fmt.Sprintf("%s %v", line, server))
}

// rping has count messages of size bytes go there and back: each side reads and writes
// the other's memory, and the client compares every byte of what came back.
func (m *machines) rping(server netip.Addr, count, size int) string {
	GinkgoHelper()
	options := fmt.Sprintf("-a %v -C %d -S %d -V", server, count, size)
	return m.between("rping -s "+options, "rdma resource show cm_id | grep -q LISTEN", "rping -c -v "+options)
}

// between runs a server in the second machine and, once it listens, its client in the
// first. Both must end well.
func (m *machines) between(server, listens, client string) (said string) {
	GinkgoHelper()
	run(m[1], limit, fmt.Sprintf("(%s; echo $? >/tmp/status) >/tmp/server 2>&1 & rm -f /tmp/status; "+
		"until %s || [ -e /tmp/status ]; do sleep 0.1; done", server, listens))
	said = run(m[0], limit, client)
	run(m[1], limit, "until [ -s /tmp/status ]; do sleep 0.1; done; cat /tmp/server; exit $(cat /tmp/status)")
	return said
}

// marked makes a tool of perftest send frames that are ECN-capable, with the DSCP of the class for RoCE: 26.
const marked = "--tclass=106"

// received are the counters of IP packets that a machine's kernel received, by its names
// for them: InECT0Pkts, InCEPkts and others.
func received(g *guest.Guest) map[string]int {
	GinkgoHelper()
	counters := map[string]int{}
	said := run(g, limit, "grep IpExt /proc/net/netstat")
	names, values, _ := strings.Cut(said, "\n")
	numbers := strings.Fields(values)
	for i, name := range strings.Fields(names) {
		if i > 0 {
			value, err := strconv.Atoi(numbers[i])
			Expect(err).NotTo(HaveOccurred())
			counters[name] = value
		}
	}
	return counters
}

// bounded makes a tool of perftest keep few messages under way: soft-RoCE does not obey congestion control, and loses
// frames of a burst to full queues, its own too. It is to wait half a second for an acknowledgement: on a busy host
// model time may be behind by a tenth, and then soft-RoCE sends everything twice, and again.
const bounded = "-t 4 -u 17"

// expectDone insists that perftest ended a number of operations of a size in bytes. It
// ends them by completions, so all was acknowledged.
func expectDone(said string, size, operations int) {
	GinkgoHelper()
	figures := figuresOf(said)
	Expect(len(figures)).To(BeNumerically(">", 2), said)
	Expect(figures[:2]).To(Equal([]string{strconv.Itoa(size), strconv.Itoa(operations)}), said)
}

// softRoCE are the counters of soft-RoCE in a machine, by its names for them.
func softRoCE(g *guest.Guest) map[string]int {
	GinkgoHelper()
	counters := map[string]int{}
	said := run(g, limit, "cd /sys/class/infiniband/rxe0/ports/1/hw_counters; grep . *")
	for line := range strings.Lines(said) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), ":")
		if value, err := strconv.Atoi(number); err == nil { // lifespan has a text
			counters[name] = value
		}
	}
	return counters
}

// column is a number of the line of figures that perftest ends with.
func column(said string, number int) float64 {
	GinkgoHelper()
	figures := figuresOf(said)
	Expect(len(figures)).To(BeNumerically(">=", number), said)
	value, err := strconv.ParseFloat(figures[number-1], 64)
	Expect(err).NotTo(HaveOccurred())
	return value
}

func figuresOf(said string) []string {
	return strings.Fields(regexp.MustCompile(`(?m)^ *\d+ +\d+ +[\d.]+ +.*$`).FindString(said))
}
