package veth

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

var _ = Describe("two run folders of which one was disturbed on a veth", Label("veth"), func() {
	It("are told apart by the frame that was changed on its way", func() {
		folder := GinkgoT().TempDir()
		command := func(want int, args ...string) string {
			GinkgoHelper()
			c := exec.Command(program("rocelab"), args...)
			c.Dir = folder
			out, _ := c.CombinedOutput()
			Expect(c.ProcessState.ExitCode()).To(Equal(want), "rocelab %s: %s", strings.Join(args, " "), out)
			return string(out)
		}
		Expect(os.WriteFile(filepath.Join(folder, "single.yaml"), []byte(single), 0o600)).To(Succeed())
		p := lab.Plans(single)[0]
		number, _ := linkOf(p, 1)
		var m *meddler
		b := deploy(p, veth.Config{Daemons: veth.PerServer})
		tamperWith(b, number, func(direction int, frame []byte) int { return m.tamper(direction, frame) })
		onVeth := []string{"run", "single.yaml", "--on", "veth", "--testbed", b.Name, "--capture", "s0:1", "--capture",
			"h1:0"}

		m = &meddler{}
		command(0, append(onVeth, "--out", "sound")...)
		command(0, "run", "single.yaml", "--out", "memory")
		Expect(command(0, "diff", "memory", "sound")).To(ContainSubstring("the same: 1 run with the same trace and metrics"))

		var changed []byte
		m = &meddler{at: halfway, with: func(frame []byte) int {
			copies := congested(frame)
			changed = bytes.Clone(frame)
			return copies
		}}
		command(0, append(onVeth, "--out", "disturbed")...)
		said := command(1, "diff", "sound", "disturbed")
		Expect(changed).NotTo(BeEmpty())
		Expect(said).To(And(
			ContainSubstring("disturbed/single: made again here it has another trace than was recorded, at "),
			ContainSubstring("it ran on veth"),
			MatchRegexp(`disturbed/single: the first frame captured that is not as made again: at [0-9.]+us,\s+h1:0`),
			ContainSubstring("ECN: ECT(0) made again, CE captured")))
		first := ""
		for _, line := range strings.Split(said, "\n") {
			if strings.HasPrefix(line, "> captured") {
				first = line
			}
		}
		Expect(first).To(And(ContainSubstring("PSN "+psnOf(changed)+" "), ContainSubstring("ECN CE"),
			ContainSubstring("received")))
	})
})

// psnOf is the PSN of a frame, as people read it.
func psnOf(frame []byte) string {
	var f wire.Frame
	Expect(wire.Decode(frame, &f)).To(Succeed())
	return fmt.Sprint(f.PSN)
}
