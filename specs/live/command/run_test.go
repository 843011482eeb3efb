package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// The scenario that docs/live.md begins with, run once on a testbed that was deployed.
var _ = Describe("rocelab run specs/scenarios/live/live-tcp.yaml --on live", Ordered, ContinueOnFailure, func() {
	// With the file's 100 Mb/s a busy machine itself is late by more than the queue: nothing is marked.
	const slower = "topology.rate=20Mbps"
	const longer = "run.until=5s"         // so that iperf3 ends on a busy machine too
	tcp := fmt.Sprint("tcp", os.Getpid()) // cgroups have names by it, for the whole machine
	var folder, stdout, inspected, sockets, pinged string
	var code int

	BeforeAll(func() {
		for _, tool := range []string{"iperf3", "ss", "ping"} {
			lab.Tool(tool)
		}
		DeferCleanup(func() {
			code, _, _ := rocelab("destroy", "--testbed", tcp)
			Expect(code).To(BeZero())
			nothingLeft()
		})
		deployed, said, complaint := rocelab("deploy", shipped("live-tcp.yaml"), "--testbed", tcp)
		Expect(deployed).To(BeZero(), complaint)
		Expect(said).To(ContainSubstring("live-tcp.yaml --on live --testbed " + tcp))
		folder = filepath.Join(work, "first")
		run := begin("run", shipped("live-tcp.yaml"), "--on", "live", "--testbed", tcp,
			"--set", longer, "--set", slower, "--out", folder)
		Eventually(func() string {
			_, sockets, _ = rocelab("exec", "client", "--testbed", tcp, "--", "ss", "-tin", "dst", "10.0.0.2")
			return sockets
		}, "20s", "50ms").Should(MatchRegexp(`delivered_ce:[1-9]`))
		_, inspected, _ = rocelab("inspect", "--testbed", tcp, "--format", "json")
		_, pinged, _ = rocelab("exec", "client", "--testbed", tcp, "--", "ping", "-n", "-c", "3", "-i", "0.1", "10.0.0.2")
		code, stdout = run.end(), run.out.String()
	})

	// Control: a histogram without its first bin, a code of 0 for red.
	It("ends with the code of its verdict, which follows from the lateness in its folder", func() {
		expectVerdict(folder, stdout, code)
	})

	It("keeps in its folder what its hosts printed, and says where that is", func() {
		Expect(stdout).To(ContainSubstring("run folder: " + folder))
		Expect(read(folder, "live-tcp/hosts/client.log")).To(ContainSubstring("iperf Done."))
		Expect(read(folder, "live-tcp/hosts/server.log")).To(ContainSubstring("receiver"))
	})

	It("lets exec into its hosts meanwhile: their sockets, by cubic as -C says, and the fabric", func() {
		Expect(sockets).To(MatchRegexp(`cubic .*delivered_ce:[1-9]`))
		Expect(pinged).To(ContainSubstring("3 received"))
		code, said, _ := rocelab("exec", "server", "--testbed", tcp, "--", "uname", "-n")
		Expect(code).To(BeZero())
		Expect(said).To(Equal("server\n"))
		code, _, _ = rocelab("exec", "server", "--testbed", tcp, "--", "sh", "-c", "exit 7")
		Expect(code).To(Equal(7))
		code, _, complaint := rocelab("exec", "server", "--testbed", tcp, "--in-container", "--", "sh")
		Expect(code).To(Equal(2))
		Expect(complaint).To(ContainSubstring("host server uses the files of this machine"))
	})

	It("is seen by inspect, with the addresses of its hosts", func() {
		var seen struct {
			Status string
			Hosts  []struct{ Name, Address string }
		}
		Expect(json.Unmarshal([]byte(inspected), &seen)).To(Succeed())
		Expect(seen.Status).To(Equal("running"))
		Expect(seen.Hosts).To(HaveLen(2))
		Expect(seen.Hosts[0].Address).To(Equal("10.0.0.1"))
		_, said, _ := rocelab("inspect", "--testbed", tcp)
		Expect(said).To(MatchRegexp(`server +│ 10\.0\.0\.2 +│`))
	})

	// Control: an edge that stamps a frame a picosecond later in the replay.
	It("is replayed in memory: the same trace, every sheet, the summary and the manifest the same to the byte", func() {
		for i, more := range [][]string{nil, {"--codec", "--workers", "3"}} {
			again := filepath.Join(work, "again"+string(rune('0'+i)))
			code, said, complaint := rocelab(append([]string{"run", shipped("live-tcp.yaml"), "--on", "mem", "--edges",
				folder, "--set", longer, "--set", slower, "--out", again}, more...)...)
			Expect(code).To(BeElementOf(0, 1), complaint)
			Expect(strings.Join(strings.Fields(said), " ")).To(ContainSubstring("has the trace of the run"))
			names := func(folder string) (names []string) {
				entries, err := os.ReadDir(filepath.Join(folder, "live-tcp"))
				Expect(err).NotTo(HaveOccurred())
				for _, e := range entries {
					if !e.IsDir() {
						names = append(names, e.Name())
					}
				}
				return names
			}
			Expect(names(again)).To(Equal(names(folder)))
			Expect(names(again)).To(ContainElements("edges.csv", "ports.csv", "queues.csv", "drops.csv"))
			for _, name := range names(folder) {
				Expect(read(again, "live-tcp", name)).To(Equal(read(folder, "live-tcp", name)), name)
			}
			Expect(read(again, "manifest.json")).To(Equal(read(folder, "manifest.json")))
			Expect(result.Check(os.DirFS(again))).To(Succeed())
			Expect(result.Check(os.DirFS(folder))).To(Succeed())
		}
	})

	// Control: a journal that is read without its checksums.
	It("is not replayed from a journal in which a bit is another: that is named, with its place", func() {
		path := filepath.Join(folder, "live-tcp", "edges", "client.journal")
		whole := read(path)
		DeferCleanup(os.WriteFile, path, []byte(whole), os.FileMode(0o600))
		for _, place := range []int{0, 100, len(whole) / 3, len(whole) / 2, len(whole) - 1} {
			damaged := []byte(whole)
			damaged[place] ^= 4
			Expect(os.WriteFile(path, damaged, 0o600)).To(Succeed())
			code, _, complaint := rocelab("run", shipped("live-tcp.yaml"), "--edges", folder,
				"--set", longer, "--set", slower, "--no-folder")
			Expect(code).To(Equal(2))
			Expect(complaint).To(ContainSubstring(path), "bit at offset %d", place)
		}
		code, _, complaint := rocelab("run", shipped("live-tcp.yaml"), "--edges", folder,
			"--set", longer, "--set", slower, "--no-folder")
		Expect(code).To(Equal(2))
		Expect(complaint).To(MatchRegexp(`client\.journal: at offset \d+: `))
	})

	DescribeTable("is not replayed as another run", func(says string, args ...string) {
		args = append([]string{"run"}, append(args, "--edges", folder, "--no-folder")...)
		for i, word := range args {
			if strings.HasSuffix(word, ".yaml") {
				args[i] = shipped(word)
			}
		}
		code, _, complaint := rocelab(args...)
		Expect(code).To(Equal(2))
		Expect(complaint).To(ContainSubstring(says))
	},
		Entry("of another scenario", "has no run of live-120km: it has live-tcp", "live-120km.yaml"),
		Entry("of another seed", "has no run of live-tcp with seed 7: it has seed 1, so give --seed 1", "live-tcp.yaml",
			"--set", longer, "--set", slower, "--seed", "7"),
		Entry("of another length", "client.journal belongs to another scenario", "live-tcp.yaml"),
		Entry("of another threshold", "client.journal belongs to another scenario", "live-tcp.yaml",
			"--set", longer, "--set", slower,
			"--set", "switch.ecn.kmax=91KB"),
	)
})
