package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface/ifacetest"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// held lists what a run has changed of the devices.
func (n network) held() (changed []string) {
	for field, value := range n.snapshot() {
		if strings.HasSuffix(field, "/disable_ipv6") && strings.Contains(field, "/dev") && value == "1" ||
			strings.HasSuffix(field, " promiscuity") && value != "0" ||
			strings.HasSuffix(field, " offload rx-gro") && strings.Contains(field, " dev") && value == "false" {
			changed = append(changed, field)
		}
	}
	return changed
}

var _ = Describe("A live run at a user's devices, with all their offloads on", func() {
	var n network
	var before ifacetest.Snapshot
	var run *job
	var up *veth.State
	var folder string

	// A run with frames in flight, with everything begun.
	BeforeEach(func() {
		lab.Tool("ping")
		n = newNetwork()
		n.run("ip -6 neigh add fe80::77 lladdr 02:00:00:00:00:77 dev dev0 nud permanent", "ip link set dev1 promisc on",
			"sysctl -qw net.ipv6.conf.dev1.accept_ra=0")
		before = n.snapshot()
		Expect(n.held()).To(ConsistOf("link dev1 promiscuity"))
		folder = filepath.Join(work, fmt.Sprint("killed-", GinkgoRandomSeed(), "-", time.Now().UnixNano()))
		run = begin("run", n.scenario("killed"), "--on", "live", "--out", folder)
		Eventually(n.held, "20s", "20ms").Should(ContainElements("link dev0 promiscuity", "link dev1 promiscuity",
			"sysctl net/ipv6/conf/dev0/disable_ipv6", "sysctl net/ipv6/conf/dev1/disable_ipv6", "link dev0 offload rx-gro"))
		inside(n.host(0), "ping -n -c 5 -i 0.05 -W 3 10.0.0.2")
		list, err := veth.List()
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(1))
		up = list[0]
	})

	// daemonsEnd waits for the daemons, who notice that their run is no more.
	daemonsEnd := func() {
		GinkgoHelper()
		for i := range up.Containers {
			Eventually(func() error { return syscall.Kill(up.Containers[i].Pid, 0) }, "10s").Should(HaveOccurred(),
				"%s lives on", up.Containers[i].Name)
		}
	}

	It("ends by Ctrl-C: what there is is kept, and the devices are as before", func() {
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		code := run.end()
		n.asBefore(before)
		nothingLeft()
		t, verdict := timingOf(folder)
		Expect(run.out.String()).To(ContainSubstring("interrupted: completion: stopped from outside at"))
		Expect(verdict).To(BeElementOf("interrupted", "red"))
		Expect(code).To(Equal(map[string]int{"interrupted": 130, "red": 3}[verdict]))
		Expect(t.Verdict).To(Equal(t.colour()))
		code, said, complaint := rocelab("run", n.scenario("killed"), "--edges", folder, "--no-folder")
		Expect(code).To(Equal(130), complaint)
		Expect(strings.Join(strings.Fields(said), " ")).To(ContainSubstring("has the trace of the run"))
	})

	It("ends when a daemon is killed: that is named, exit code 4, and the devices are as before", func() {
		left, ok := up.Node("left")
		Expect(ok).To(BeTrue())
		Expect(syscall.Kill(up.Containers[left.Container].Pid, syscall.SIGKILL)).To(Succeed())
		Expect(run.end()).To(Equal(4))
		Expect(run.err.String()).To(ContainSubstring("daemon of left ended by signal: killed"))
		n.asBefore(before)
		nothingLeft()
		Expect(folder).NotTo(BeADirectory())
	})

	It("that is killed itself is put back by destroy, which says so", func() {
		Expect(run.Process.Kill()).To(Succeed())
		run.end()
		daemonsEnd()
		Expect(n.snapshot().Since(before)).NotTo(BeEmpty())
		_, said, _ := rocelab("inspect")
		Expect(said).To(MatchRegexp(`%s +│ broken`, up.Name))
		code, said, complaint := rocelab("destroy")
		Expect(code).To(BeZero(), complaint)
		Expect(said).To(Equal(fmt.Sprintf("testbed %s is gone\ninterface dev0 in %s is as it was before its run\n"+
			"interface dev1 in %[2]s is as it was before its run\n", up.Name, n.middle)))
		n.asBefore(before)
		nothingLeft()
		_, err := os.Stat(folder)
		Expect(err).To(MatchError(os.ErrNotExist))
		Expect(folder + ".part").To(BeADirectory())
	})

	It("that is killed itself is named by the next run, which begins with the devices as they were", func() {
		Expect(run.Process.Kill()).To(Succeed())
		run.end()
		daemonsEnd()
		_, said, complaint := rocelab("run", n.scenario("next"), "--on", "live", "--no-folder", "--set", "run.until=50ms")
		Expect(complaint).To(ContainSubstring("a run that was killed left testbed %s: rocelab destroy --testbed "+
			"%[1]s removes it", up.Name))
		for _, device := range []string{"dev0", "dev1"} {
			Expect(strings.Join(strings.Fields(said), " ")).To(ContainSubstring("interface %s in %s was as a run that was "+
				"killed had left it; it was put back before this one", device, n.middle))
		}
		n.asBefore(before)
		code, _, _ := rocelab("destroy", "--testbed", up.Name)
		Expect(code).To(BeZero())
		nothingLeft()
	})
})
