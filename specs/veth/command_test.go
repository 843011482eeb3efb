package veth

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// rocelab carries out a command line with the program at path, insists on its
// exit code, and returns what it printed.
func rocelab(path string, code int, args ...string) (stdout, stderr string) {
	GinkgoHelper()
	c := exec.Command(path, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		var exit *exec.ExitError
		Expect(errors.As(err, &exit)).To(BeTrue(), "%v", err)
	}
	Expect(c.ProcessState.ExitCode()).To(Equal(code), "rocelab %q: %s%s", args, out.String(), errs.String())
	return out.String(), errs.String()
}

// way is a way to run a scenario.
type way struct {
	name string
	args []string
}

var (
	inProcess    = way{"in memory", nil}
	asBytes      = way{"in memory, frames as bytes", []string{"--codec"}}
	onContainers = way{"on containers", []string{"--on", "veth"}}
	inPool       = way{"on containers, a pool of the built-in runtime", []string{"--on", "veth", "--daemons", "pool",
		"--runtime", "builtin"}}
)

// inEach runs a scenario in these ways and insists that all write the same
// files and print the same; these are returned, the files by their names.
func inEach(ways []way, code int, args ...string) (files map[string]string, stdout string) {
	GinkgoHelper()
	for i, way := range ways {
		out := filepath.Join(GinkgoT().TempDir(), "run")
		line := append([]string{"run", "--format", "json", "--out", out}, append(args, way.args...)...)
		said, _ := rocelab(program("rocelab"), code, line...)
		got := readFolder(out)
		Expect(os.RemoveAll(out)).To(Succeed())
		said = string(bytes.ReplaceAll([]byte(said), []byte(out), []byte("OUT")))
		if i == 0 {
			files, stdout = got, said
			continue
		}
		Expect(said).To(Equal(stdout), way.name)
		Expect(slices.Sorted(maps.Keys(got))).To(Equal(slices.Sorted(maps.Keys(files))), way.name)
		for name, text := range files {
			Expect(got[name] == text).To(BeTrue(), "%s: %s differs", way.name, name)
		}
	}
	return files, stdout
}

// readFolder returns the files of a run folder, whose digests hold, but for host.json.
func readFolder(dir string) map[string]string {
	GinkgoHelper()
	Expect(result.Check(os.DirFS(dir))).To(Succeed())
	files := filesOf(dir)
	Expect(files).To(HaveKey("host.json"))
	delete(files, "host.json")
	return files
}

// filesOf returns the files below a folder.
func filesOf(dir string) map[string]string {
	GinkgoHelper()
	files := map[string]string{}
	Expect(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	})).To(Succeed())
	return files
}

// report has the parts of run's JSON that are looked at here.
type report struct {
	Runs []struct {
		Variant, Verdict, Trace string
		Findings                []struct{ About, Status, Text string }
	}
}

func parse(stdout string) (r report) {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(stdout), &r)).To(Succeed(), stdout)
	return r
}

// texts are those of a run's findings about something.
func (r *report) texts(run int, about result.Subject) (list []string) {
	for _, f := range r.Runs[run].Findings {
		if f.About == string(about) {
			list = append(list, f.Text)
		}
	}
	return list
}

var _ = Describe("rocelab run", Label("veth", "command"), func() {
	It("writes on containers the folder that it writes in memory, its capture included", func() {
		files, _ := inEach([]way{inProcess, asBytes, onContainers, inPool}, exit.CodePass, "../scenarios/incast.yaml",
			"--set", "traffic.size=50KB",
			"--record-interval", "10us", "--capture", "s0:16", "--capture", "h3")
		for _, variant := range []string{"pc4", "dcqcn"} {
			Expect(lab.Frames([]byte(files[variant+"/capture.pcapng"]))).NotTo(BeEmpty())
			Expect(files).To(HaveKey(variant + "/summary.json"))
			Expect(files).To(HaveKey(variant + "/series_values.csv"))
		}
	})

	It("writes the same where algorithms are programs, which the manifest then identifies", func() {
		files, _ := inEach([]way{inProcess, onContainers}, exit.CodePass, "../scenarios/incast.yaml", "--set",
			"traffic.size=50KB", "--run-as", "process")
		var manifest result.Manifest
		Expect(json.Unmarshal([]byte(files["manifest.json"]), &manifest)).To(Succeed())
		for _, run := range manifest.Runs {
			Expect(run.Algorithms).To(HaveLen(1))
			a := run.Algorithms[0]
			Expect(a.Form).To(Equal(result.FormProcess))
			Expect(a.Program.SHA256).To(HaveLen(64))
			Expect(a.Program.Build.ID).NotTo(BeEmpty())
		}
	})

	// Red where what daemons report of groups is not added up.
	It("records the same by default, of flows and, where there are many, of their groups", func() {
		files, _ := inEach([]way{inProcess, asBytes, onContainers, inPool}, exit.CodePass, "../scenarios/incast.yaml",
			"--set", "topology.hosts=5", "--set", "traffic.senders=4", "--set", "traffic.receiver=h4", "--set",
			"traffic.size=2KB", "--set", "traffic.flows=70")
		for _, variant := range []string{"pc4", "dcqcn"} {
			for _, name := range []string{"series_groups.csv", "series_ports.csv", "series_queues.csv"} {
				Expect(strings.Count(files[variant+"/"+name], "\n")).To(BeNumerically(">", 30), name)
			}
			Expect(files[variant+"/series_groups.csv"]).To(MatchRegexp(`(?m)^\w+,1,[0-9.]+,incast,[0-9.]+,[1-9]`))
			Expect(files).NotTo(HaveKey(variant + "/series_flows.csv"))
			Expect(files[variant+"/summary.json"]).To(ContainSubstring("280 flows: series_groups.csv"))
		}
	})

	It("tells the same of a PFC storm on containers and in memory", Label("storm"), func() {
		files, stdout := inEach([]way{inProcess, onContainers}, exit.CodePass, "../scenarios/pfc-storm.yaml")
		r := parse(stdout)
		Expect(r.Runs).To(HaveLen(3))
		for i := range r.Runs {
			texts := r.texts(i, result.Storm)
			Expect(texts).To(ContainElement(HavePrefix("h3 paused class 3 from 200us to 1.2ms")))
			Expect(texts).To(ContainElement(HavePrefix("victim: sender")))
			Expect(texts).To(ContainElement(HavePrefix("victim: way")))
			fired := ContainElement(HavePrefix("the watchdog of leaf0:3, class 3, fired at "))
			if r.Runs[i].Variant == "no-watchdog" {
				fired = Not(fired)
			}
			Expect(texts).To(fired)
		}
		Expect(files["watchdog/watchdog.csv"]).To(ContainSubstring("leaf0"))
	})

	It("finds the deadlock of a ring on containers and in memory", Label("deadlock"), func() {
		ways := []way{inProcess, asBytes, onContainers}
		files, stdout := inEach(ways, exit.CodeVerdict, "../scenarios/deadlock-ring.yaml", "--set", "run.limit=3ms")
		r := parse(stdout)
		Expect(r.Runs).To(HaveLen(2))
		Expect(r.texts(0, result.Losslessness)).To(ContainElement(MatchRegexp(
			`^not lossless: deadlock at 1.5ms of s0:1/3 -> .* -> s4:2/3, which have stood still since 109[.0-9]*us$`)))
		Expect(r.texts(1, result.Losslessness)).To(ContainElement(HavePrefix("not lossless: deadlock at 1ms of s0:1/3 -> ")))
		Expect(files["locked/deadlocks.csv"]).To(MatchRegexp(`(?m)^locked,1,1,1500\.000000,109\.[0-9]+,s0,1,3$`))
	})

	It("fails on containers where it fails in memory", Label("storm"), func() {
		_, stdout := inEach([]way{inProcess, onContainers}, exit.CodeFailed, "../scenarios/pfc-storm.yaml", "--variant",
			"watchdog", "--set", "variants.watchdog.expect.checks=[victims == 0]")
		Expect(parse(stdout).Runs[0].Verdict).To(Equal(result.Failed.String()))
	})
})

// dropIn is a scenario whose algorithm a plugin of any make can stand for.
const dropIn = `
name: drop-in
algorithm: dcqcn
topology: {kind: star, hosts: 5}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
traffic: [{kind: incast, size: 200KB}]
`

var _ = Describe("a program without built-in algorithms", Label("veth", "command"), func() {
	var scenario string
	BeforeEach(func() {
		scenario = filepath.Join(GinkgoT().TempDir(), "drop-in.yaml")
		Expect(os.WriteFile(scenario, []byte(dropIn), 0o600)).To(Succeed())
	})
	// trace runs the scenario.
	trace := func(path string, args ...string) string {
		GinkgoHelper()
		stdout, _ := rocelab(path, exit.CodePass, append([]string{"run", scenario, "--no-folder", "--format", "json"},
			args...)...)
		r := parse(stdout)
		Expect(r.Runs).To(HaveLen(1))
		Expect(r.Runs[0].Trace).To(HaveLen(16))
		return r.Runs[0].Trace
	}

	It("runs nothing without plugins", func() {
		_, stderr := rocelab(bare("rocelab"), exit.CodeUsage, "run", scenario, "--no-folder")
		Expect(stderr).To(ContainSubstring("dcqcn"))
	})

	It("has the same trace through processes, and another with a plugin that halves its rate", func() {
		want := trace(program("rocelab"))
		halves := ""
		for _, on := range []string{"mem", "veth"} {
			shipped := trace(bare("rocelab"), "--on", on, "--plugin-dir", plugins())
			Expect(shipped).To(Equal(want), on)
			several := trace(program("rocelab"), "--on", on, "--run-as", "process") // by rocelab-cc, beside it
			Expect(several).To(Equal(want), on)
			half := trace(bare("rocelab"), "--on", on, "--plugin-dir", halved())
			Expect(half).NotTo(Equal(want), on)
			if halves == "" {
				halves = half
			}
			Expect(half).To(Equal(halves), on)
		}
	})

	It("keeps what plugins printed in containers that are gone", func() {
		for _, way := range []struct {
			daemons string
			logs    []string
		}{
			{"server", []string{"h0.log", "h1.log", "h2.log", "h3.log", "h4.log", "halved.log"}},
			{"pool", []string{"halved.log", "pool.log"}},
		} {
			logs := GinkgoT().TempDir()
			trace(bare("rocelab"), "--on", "veth", "--daemons", way.daemons, "--plugin-dir", halved(), "--plugin-logs", logs)
			var names []string
			for name, text := range filesOf(logs) {
				names = append(names, name)
				Expect(text).To(ContainSubstring("half as fast"), name)
			}
			Expect(names).To(ConsistOf(way.logs), way.daemons)
		}
	})
})
