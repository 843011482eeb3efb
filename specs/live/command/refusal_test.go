package command

import (
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
)

// refused is a run that must not be: the actions on the devices before and after it, the command line with "two" for
// the scenario, its exit code, and its message.
type refused struct {
	before, after []string
	args          string
	code          int
	says          []string
}

// Control of the table: each of its messages was seen red with another word in it.
var _ = Describe("What cannot be run live", Ordered, ContinueOnFailure, func() {
	var n network
	var two string

	BeforeAll(func() {
		n = newNetwork()
		two = n.scenario("two")
	})

	DescribeTable("is refused, and nothing is made", func(r refused) {
		for _, line := range r.before {
			if strings.Contains(line, "type bond") && exec.Command("modprobe", "-n", "bonding").Run() != nil {
				Skip("this kernel has no bonding")
			}
		}
		n.run(r.before...)
		before := n.snapshot()
		code, stdout, complaint := rocelab(append([]string{"run", two}, strings.Fields(r.args)...)...)
		n.likeBefore(before)
		n.run(r.after...)
		Expect(code).To(Equal(r.code))
		for _, words := range r.says {
			Expect(complaint).To(ContainSubstring(strings.ReplaceAll(words, "MIDDLE", n.middle)))
		}
		Expect(complaint).NotTo(ContainSubstring("testbed: "), "a testbed was made")
		Expect(stdout).To(BeEmpty())
		Expect(filepath.Join(work, "rocelab-runs")).NotTo(BeADirectory())
		nothingLeft()
	},
		Entry("an interface that does not exist", refused{
			args: "--on live --set topology.nodes.left.interface=dev7",
			code: 2,
			says: []string{"edge left: interface dev7 in MIDDLE does not exist: there are dev0, dev1"},
		}),
		Entry("a namespace that does not exist", refused{
			args: "--on live --set topology.nodes.left.namespace=no-such",
			code: 2,
			says: []string{"interface dev0 in /run/netns/no-such is in a network namespace that does not exist: ip netns "},
		}),
		Entry("several mistakes at once", refused{
			args: "--on live --set topology.nodes.left.interface=dev7 --set topology.nodes.right.interface=dev8",
			code: 2,
			says: []string{"edge left: interface dev7", "edge right: interface dev8"},
		}),
		Entry("an address", refused{
			before: []string{"ip addr add 192.0.2.1/24 dev dev0"},
			after:  []string{"ip addr del 192.0.2.1/24 dev dev0"},
			args:   "--on live",
			code:   2,
			says: []string{"dev0 in MIDDLE carries the address 192.0.2.1/24: ",
				"nsenter --net=MIDDLE ip addr del 192.0.2.1/24 dev dev0",
				"by force (force: true of an edge, --force of a wire) the host goes on answering there"},
		}),
		Entry("the default route", refused{
			before: []string{"ip route add default dev dev0"},
			after:  []string{"ip route del default dev dev0"},
			args:   "--on live",
			code:   2,
			says:   []string{"dev0 in MIDDLE carries the route default", "the host's own traffic leaves by"},
		}),
		Entry("a member of a bridge", refused{
			before: []string{"ip link add br0 type bridge", "ip link set dev0 master br0"},
			after:  []string{"ip link del br0"},
			args:   "--on live",
			code:   2,
			says:   []string{"is a member of the bridge br0: nsenter --net=MIDDLE ip link set dev0 nomaster"},
		}),
		Entry("a bridge", refused{
			before: []string{"ip link add br0 type bridge", "ip link set br0 up"},
			after:  []string{"ip link del br0"},
			args:   "--on live --set topology.nodes.left.interface=br0",
			code:   2,
			says:   []string{"interface br0 in MIDDLE is a bridge; by force"},
		}),
		Entry("a member of a bond", refused{
			before: []string{"ip link add bond7 type bond", "ip link set dev0 down", "ip link set dev0 master bond7"},
			after:  []string{"ip link set dev0 nomaster", "ip link del bond7", "ip link set dev0 up"},
			args:   "--on live",
			code:   2,
			says:   []string{"is a member of the bond bond7"},
		}),
		Entry("too small an MTU", refused{
			args: "--on live --set topology.nodes.left.mtu=9000B",
			code: 2,
			says: []string{"dev0 in MIDDLE has MTU 1500, and the edge needs 9000: ",
				"nsenter --net=MIDDLE ip link set dev0 mtu 9000"},
		}),
		Entry("an interface that is down", refused{
			before: []string{"ip link set dev0 down"},
			after:  []string{"ip link set dev0 up"},
			args:   "--on live",
			code:   2,
			says:   []string{"is down: nsenter --net=MIDDLE ip link set dev0 up"},
		}),
		Entry("one interface for two edges", refused{
			args: "--on live --set topology.nodes.left.interface=dev1",
			code: 2,
			says: []string{`interface "dev1" is that of two edges`},
		}),
		Entry("a latency below two looks at the interface", refused{
			args: "--on live --set topology.links.0.latency=99us",
			code: 2,
			says: []string{"edge left: its link's latency of 99us must cover two looks at its interface, 100us on the wall",
				"at K = 1 allowed are 100us and above; or write --dilate 2"},
		}),
		Entry("K = 0", refused{args: "--on live --dilate 0", code: 2,
			says: []string{`"0" for "--dilate" flag: allowed are whole numbers from 1 to`}}),
		Entry("K = 1.5", refused{args: "--on live --dilate 1.5", code: 2,
			says: []string{`"1.5" for "--dilate" flag: allowed are whole numbers from 1 to`}}),
		Entry("K = -3", refused{args: "--on live --dilate=-3", code: 2,
			says: []string{`"-3" for "--dilate" flag: allowed are whole numbers from 1 to`}}),
		Entry("K where no clock is kept", refused{args: "--on veth --dilate 10", code: 2,
			says: []string{"--dilate needs --on live"}}),
		Entry("edges in memory, without a record", refused{args: "--on mem", code: 2,
			says: []string{"left, right are edges, where frames come in from outside: run it with --on live, or replay"}}),
		Entry("edges on containers in virtual time", refused{args: "--on veth", code: 2,
			says: []string{"left, right are edges, where frames come in from outside: run it with --on live, or replay"}}),
		Entry("a record on a live run", refused{args: "--on live --edges nowhere", code: 2,
			says: []string{"--edges is a replay"}}),
	)

	It("is taken by force where that is possible, and the report says what that breaks", func() {
		n.run("ip addr add 192.0.2.1/24 dev dev0")
		before := n.snapshot()
		_, said, complaint := rocelab("run", two, "--on", "live", "--no-folder", "--set", "run.until=50ms", "--set",
			"topology.nodes.left.force=true")
		n.likeBefore(before)
		n.run("ip addr del 192.0.2.1/24 dev dev0")
		Expect(strings.Join(strings.Fields(said), " ")).To(ContainSubstring(
			"dev0 was taken by force: interface dev0 in "+n.middle+" carries the address 192.0.2.1/24"), complaint)
	})

	It("is an interface that another run has: that is named, and goes on", func() {
		lab.Tool("ping")
		first := begin("run", two, "--on", "live", "--no-folder")
		Eventually(n.held, "20s", "20ms").Should(ContainElement("link dev0 promiscuity"))
		code, _, complaint := rocelab("run", two, "--on", "live", "--no-folder")
		Expect(code).To(Equal(2))
		Expect(complaint).To(MatchRegexp(`dev0 in %s is used by another run, process %d \(.*run.*two\.yaml`, n.middle,
			first.Process.Pid))
		inside(n.host(0), "ping -n -c 3 -i 0.1 -W 3 10.0.0.2")
	})
})

var _ = Describe("A host's command", func() {
	BeforeEach(func() { DeferCleanup(nothingLeft) })

	It("that is not there ends the run at once, named", func() {
		code, stdout, complaint := rocelab("run", shipped("live-tcp.yaml"), "--on", "live", "--no-folder", "--set",
			"topology.nodes.server.exec=no-such-command -s")
		Expect(code).To(Equal(2))
		Expect(complaint).To(ContainSubstring(`host server: exec: "no-such-command -s": the shell finds no such command`))
		Expect(stdout).To(BeEmpty())
	})

	It("that fails makes the run fail, with its exit status", func() {
		code, said, _ := rocelab("run", shipped("live-tcp.yaml"), "--on", "live", "--no-folder", "--set",
			"topology.nodes.server.exec=exit 3", "--set", "topology.nodes.client.exec=true")
		Expect(said).To(MatchRegexp(`failed: commands: host server: "exit 3": exit status 3 after `))
		Expect(said).NotTo(ContainSubstring("host client"))
		Expect(code).To(Equal(map[string]int{"FAILED": 1, "RED": 3, "VOID": 3}[strings.Fields(said)[0]]))
	})
})
