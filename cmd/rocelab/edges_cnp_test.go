package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// besideCNPs is a flow of ours from h1 to h4, and a foreign host at the same switch.
const besideCNPs = `name: cnps
algorithm: dcqcn
topology:
  kind: explicit
  rate: 10Gbps
  nodes:
    - {name: s0, kind: switch}
    - {name: h2, kind: edge, interface: vethA%s}
    - {name: h1, kind: host}
    - {name: h4, kind: host}
  links:
    - {endpoints: [h2, s0]}
    - {endpoints: [h1, s0], latency: 10us}
    - {endpoints: [h4, s0], latency: 10us}
traffic: [{kind: flow, from: h1, to: h4, size: 3MB}]
run: {until: 10ms}
`

// cnpFrom is a CNP from an address to the flow's sender, as a foreign host may write it.
func cnpFrom(source uint32) []byte {
	frame := wire.Frame{
		EtherType: wire.EtherTypeIPv4,
		Src:       wire.MAC{2, 0x46, 0, 0, 0, 2},
		Dst:       wire.MAC{2, 0x46, 0, 0, 0, 1},
		SrcIP:     source,
		DstIP:     plan.StationIP(0),
		TOS:       48 << 2,
		TTL:       64,
		SrcPort:   0xC000,
		Opcode:    wire.CNP,
		Notify:    wire.BECN,
		PKey:      wire.DefaultPKey,
		DestQP:    nicd.FirstQP,
	}
	return frame.AppendTo(nil)
}

// A neighbour's CNPs do not break an invariant. Those from its own address end at the NIC, those from the address of
// the flow's receiver are obeyed, and cnp: drop ends both at the edge; the verdict names the edge each time, and the
// sheet of edges has them.
func TestForeignCNPs(t *testing.T) {
	s := newShell(t)
	h4, h2 := plan.StationIP(1), plan.StationIP(2)
	for i, c := range []struct {
		option string
		source uint32
		parts  string
		checks string
		sheet  string
	}{
		{"", h2, "50 foreign CNPs came in at edge h2; none has the address of a flow's receiver, so no sender takes one",
			"discards_wrong_peer == 50, discards_acl == 0, fct_max_us < 2700", ",0,0,50,0,0,0,0,"},
		{"", h4, "50 foreign CNPs came in at edge h2: 50 with the address of the receiver of flow/h1-h4, whose " +
			"sender took 50 CNPs while the receiver sent 0; a sender cannot tell them from its receiver's, and " +
			"obeys them",
			"discards_wrong_peer == 0, discards_acl == 0, fct_max_us > 4000", ",0,0,50,0,0,0,50,"},
		{", cnp: drop", h2, "50 foreign CNPs came in at edge h2, which dropped all of them (cnp: drop)",
			"discards_wrong_peer == 0, discards_acl == 50, fct_max_us < 2700", ",0,0,50,0,0,0,0,"},
		{", cnp: drop", h4, "50 foreign CNPs came in at edge h2, which dropped all of them (cnp: drop)",
			"discards_wrong_peer == 0, discards_acl == 50, fct_max_us < 2700", ",0,0,50,0,0,0,0,"},
	} {
		t.Run(fmt.Sprintf("option=%s,source=%v", c.option, c.source), func(t *testing.T) {
			var frames []came
			for k := range 50 {
				frames = append(frames, came{unit.Time(100+20*k) * unit.Time(unit.Microsecond), cnpFrom(c.source)})
			}
			text := fmt.Sprintf(besideCNPs, c.option)
			s.write("cnps.yaml", text+"expect: {checks: ["+c.checks+", drops == 0]}\n")
			trace, out := "0", ""
			for code := 1; code >= 0; code-- { // the first run gives the trace that the second one is to have
				folder := fmt.Sprint("run", i, code)
				recordedRunOf(t, text, folder, trace, frames, 0)
				out = fmt.Sprint("out", i, code)
				s.run(code, "run", "cnps.yaml", "--edges", folder, "--out", out)
				trace = readSummary(t, out+"/cnps/summary.json").Trace
			}
			said := strings.Join(strings.Fields(s.stdout), " ")
			s.says(said, c.parts)
			if !strings.HasPrefix(said, "PASS") {
				t.Errorf("%s: %s", c.checks, s.stdout)
			}
			if sheet, err := os.ReadFile(out + "/cnps/edges.csv"); err != nil || !strings.Contains(string(sheet), ",h2,50,") ||
				!strings.Contains(string(sheet), c.sheet) {
				t.Errorf("%v: %s", err, sheet)
			}
		})
	}
}

// Frames of a neighbour that lead nowhere are counted by reason, and a check of that fails: those whose TTL ends at the
// switch, and those without a queue pair.
func TestForeignFramesThatLeadNowhere(t *testing.T) {
	s := newShell(t)
	var frames []came
	for k := range 6 {
		frame := wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			Src:       wire.MAC{2, 0x46, 0, 0, 0, 2},
			Dst:       wire.MAC{2, 0x46, 0, 0, 0, 1},
			SrcIP:     plan.StationIP(2),
			DstIP:     plan.StationIP(0),
			TTL:       64,
			SrcPort:   0xC000,
			Opcode:    wire.CNP,
			PKey:      wire.DefaultPKey,
			DestQP:    nicd.FirstQP,
		}
		if k%2 == 0 {
			frame.TTL = 1
		} else {
			frame.DestQP = 4711
		}
		frames = append(frames, came{unit.Time(100+20*k) * unit.Time(unit.Microsecond), frame.AppendTo(nil)})
	}
	text := fmt.Sprintf(besideCNPs, "")
	for value, code := range map[int]int{3: 0, 2: 1} {
		t.Run(fmt.Sprintf("value=%v", value), func(t *testing.T) {
			want := fmt.Sprintf("drops_ttl == %d, discards_unknown_qp == %d", value, value)
			s.write("nowhere.yaml", text+"expect: {checks: ["+want+"]}\n")
			trace := "0"
			for try := range 2 { // the first run gives the trace that the second one is to have
				folder := fmt.Sprint("run", value, try)
				recordedRunOf(t, text, folder, trace, frames, 0)
				out := fmt.Sprint("out", value, try)
				s.run(max(code, 1-try), "run", "nowhere.yaml", "--edges", folder, "--out", out)
				trace = readSummary(t, out+"/cnps/summary.json").Trace
			}
		})
	}
}
