package faults

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

var _ = Describe("A host", Label("veth", "faults"), func() {
	var m *machine
	BeforeEach(func() {
		needHost()
		m = newMachine()
	})

	It("without root is told what it lacks, and nothing is made", func() {
		c := m.command("run", m.short(), "--on", "veth")
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		code, complaint := m.start(c).wait(10 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(ContainSubstring("sudo rocelab"))
		Expect(m.state).NotTo(BeADirectory())
	})

	It("with too few open files is told so before anything is made", func() {
		c := m.command("run", m.short(), "--on", "veth")
		c.Args = append([]string{"sh", "-c", `ulimit -n 64; exec "$0" "$@"`}, c.Args...)
		c.Path = "/bin/sh"
		code, complaint := m.start(c).wait(10 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(And(ContainSubstring("open files"), ContainSubstring("64")))
		Expect(m.state).NotTo(BeADirectory())
	})

	It("with too little memory for the rings is told so before anything is made", func() {
		// Windows of 750 frames at 16000 ends of links: some 300 GB.
		code, complaint := m.run(m.scenario(8000, "50KB", "algorithm: dcqcn\nmtu: 4096B\n"),
			"--set", "topology.latency=5us", "--set", "switch.buffer=100GB").wait(20 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(ContainSubstring("memory"))
		Expect(m.state).NotTo(BeADirectory())
	})

	DescribeTable("whose state folder cannot be made is told which", func(spoil func(m *machine), why string) {
		spoil(m)
		code, complaint := m.run(m.short()).wait(10 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(And(ContainSubstring(m.state), ContainSubstring("ROCELAB_RUN"), ContainSubstring(why)))
	},
		Entry("a file in its place", func(m *machine) {
			file := filepath.Join(filepath.Dir(m.state), "file")
			Expect(os.WriteFile(file, nil, 0o600)).To(Succeed())
			m.state = filepath.Join(file, "run")
		}, "not a directory"),
		Entry("a disk that is full", func(m *machine) { m.disk("nr_inodes=6") }, "no space left"),
		Entry("a disk that is read-only", func(m *machine) { m.disk("ro") }, "read-only"),
	)

	It("whose state folder fills up while the testbed comes up ends that, and is clean", func() {
		m.disk("nr_inodes=40")
		code, complaint := m.run(m.scenario(20, "50KB", "algorithm: dcqcn\n"), "--runtime", "builtin").wait(20 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(ContainSubstring("no space left"))
	})

	It("with a testbed of that name is told so, and the testbed stays", func() {
		m.testbeds = append(m.testbeds, "twice")
		code, _ := m.do(time.Minute, "deploy", m.short(), "--testbed", "twice", "--runtime", "builtin")
		Expect(code).To(BeZero())
		code, complaint := m.do(time.Minute, "deploy", m.short(), "--testbed", "twice", "--runtime", "builtin")
		Expect(code).To(Equal(2))
		Expect(complaint).To(ContainSubstring("twice exists already"))
		code, _ = m.run(m.short(), "--testbed", "twice", "--no-folder").wait(20 * time.Second)
		Expect(code).To(BeZero())
		code, _ = m.do(20*time.Second, "destroy", "--testbed", "twice")
		Expect(code).To(BeZero())
	})

	It("with an interface of that name already is told which", func() {
		m.testbeds = append(m.testbeds, "cni")
		code, _ := m.do(time.Minute, "deploy", m.short(), "--testbed", "cni", "--runtime", "builtin")
		Expect(code).To(BeZero())
		s := m.load("cni")
		a, b := container(s, "h0"), container(s, "h1")
		c := exec.Command(filepath.Join(programs, "rocelab-link"))
		c.Env = append(os.Environ(), "CNI_COMMAND=ADD", "CNI_CONTAINERID=x", "CNI_NETNS="+a.NetNS, "CNI_IFNAME=roce0",
			"CNI_PATH="+programs)
		c.Stdin = strings.NewReader(
			fmt.Sprintf(`{"cniVersion": "1.1.0", "name": "l", "type": "rocelab-link", "dataDir": %q, "peer": {"netns": `+
				`%q, "ifname": "roce9"}}`,
				filepath.Join(m.work, "cni"), b.NetNS))
		out, err := c.Output()
		Expect(err).To(HaveOccurred())
		Expect(string(out)).To(And(ContainSubstring("roce0"), ContainSubstring("exist")))
		code, _ = m.do(20*time.Second, "destroy", "--testbed", "cni")
		Expect(code).To(BeZero())
	})

	It("whose testbed's state is damaged is told so, and destroy removes it", func() {
		m.testbeds = append(m.testbeds, "torn")
		code, _ := m.do(time.Minute, "deploy", m.short(), "--testbed", "torn", "--runtime", "builtin")
		Expect(code).To(BeZero())
		Expect(os.Truncate(filepath.Join(m.state, "torn", "testbed.json"), 100)).To(Succeed())
		code, complaint := m.run(m.short(), "--testbed", "torn").wait(10 * time.Second)
		Expect(code).To(Equal(4))
		Expect(complaint).To(And(ContainSubstring("damaged"), ContainSubstring("rocelab destroy --testbed torn")))
		code, _ = m.do(20*time.Second, "destroy", "--testbed", "torn")
		Expect(code).To(BeZero())
	})

	It("is examined for all that a testbed is made of", func() {
		run := m.run(m.endless(), "--runtime", "builtin", "--no-folder")
		run.underWay()
		Expect(m.leftovers(0)).To(And(ContainSubstring("file "), ContainSubstring("mount "), ContainSubstring("cgroup "),
			ContainSubstring("process ")))
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		run.wait(10 * time.Second)
	})

	It("keeps all of a testbed from other users, also during a run", func() {
		run := m.run(m.endless(), "--runtime", "builtin")
		s := run.underWay()
		count := 0
		Expect(filepath.WalkDir(m.state, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "rootfs" {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if filepath.Dir(path) == filepath.Join(s.Dir(), "net") {
				return nil // namespaces: the kernel gives them their mode, the folder keeps them
			}
			count++
			Expect(info.Mode().Perm()&0o077).To(BeZero(), "%s is %v", path, info.Mode())
			return nil
		})).To(Succeed())
		Expect(count).To(BeNumerically(">", 12)) // folders, state, page, logs, sockets
		Expect(run.Process.Signal(syscall.SIGINT)).To(Succeed())
		run.wait(10 * time.Second)
	})
})

// disk mounts a small file system where the machine's testbeds are.
func (m *machine) disk(option string) {
	Expect(os.MkdirAll(m.state, 0o700)).To(Succeed())
	flags := uintptr(0)
	if option == "ro" {
		flags, option = unix.MS_RDONLY, "mode=700"
	} else {
		option += ",mode=700"
	}
	Expect(unix.Mount("tmpfs", m.state, "tmpfs", flags, option)).To(Succeed())
	DeferCleanup(func() { // while what is left can be seen
		left := m.leftovers(reaping)
		Expect(unix.Unmount(m.state, unix.MNT_DETACH)).To(Succeed())
		Expect(left).To(BeEmpty(), "left behind")
	})
}

// load reads the state of a testbed.
func (m *machine) load(name string) *veth.State {
	s, err := veth.Load(name)
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	return s
}
