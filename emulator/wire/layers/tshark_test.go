package layers_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
)

// shark returns a function that reads a capture of these frames with tshark and the dissector of this folder. It skips
// the test if that is not possible.
func shark(t *testing.T, frames ...[]byte) func(args ...string) string {
	t.Helper()
	if _, err := os.Stat("rocelab.lua"); err != nil { // and go test notices when it changes
		t.Fatal(err)
	}
	path, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("tshark is not installed; apt-get install tshark")
	}
	version, err := exec.Command(path, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	// The text is wrapped at any blank.
	if words := strings.Join(strings.Fields(string(version)), " "); !strings.Contains(words, "with Lua") {
		t.Skip(path + " was built without Lua")
	}
	var file bytes.Buffer
	w := pcapgo.NewWriter(&file)
	if err := w.WriteFileHeader(65536, layers.LinkTypeEthernet); err != nil {
		t.Fatal(err)
	}
	for _, b := range frames {
		info := gopacket.CaptureInfo{Timestamp: time.Unix(0, 0), CaptureLength: len(b), Length: len(b)}
		if err := w.WritePacket(info, b); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "notifications.pcap")
	if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(args ...string) string {
		cmd := exec.Command(path,
			append([]string{"-X", "lua_script:rocelab.lua", "-r", name, "-o", "udp.check_checksum:TRUE"}, args...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || strings.Contains(stderr.String(), "Lua: Error") {
			t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
		}
		return string(out)
	}
}

// notice returns a frame that carries these bytes to the notifications' port.
func notice(payload []byte) wire.Frame {
	f := wire.Frame{
		Dst:     wire.NodeMAC(2, 0),
		Src:     wire.NodeMAC(1, 0),
		SrcIP:   0xac100003,
		DstIP:   0xac100001,
		TOS:     0xC0,
		TTL:     64,
		SrcPort: 0xC001,
	}
	f.SetDatagram(payload)
	return f
}

// TestTsharkNamesEveryField makes tshark read a notification of two flows: every field has its name and value, the
// checksum is right, nothing is malformed.
func TestTsharkNamesEveryField(t *testing.T) {
	tier.Everyday(t)
	m := messages()[2]
	f := notice(m.AppendTo(nil))
	roce := engineFrames()[1]
	roce.SrcPort = wire.NotificationPort
	read := shark(t, f.AppendTo(nil), roce.AppendTo(nil))
	const proto = "rocelab_notification"
	var args, want []string
	for _, c := range []struct{ field, value string }{
		{"magic", "0x5052"}, {"version", "1"}, {"type", "3"}, {"origin", "16909060"}, {"sequence", "4278190082"},
		{"time", "1700000000123456"},
		{"port", "43981"}, {"priority", "2"}, {"count", "2"}, {"depth", "3000000001"}, {"before", "77777"},
		{"elapsed", "50000"}, {"rate", "400000"},
		{"usage", "33059"}, {"degree", "17767"}, {"threshold", "102400"}, {"kmax", "409600"}, {"lifetime", "3000000"},
		{"live", "9029"}, {"level", "26505"},
		{"flow.src_ip", "172.16.0.1,172.16.0.2"}, {"flow.dst_ip", "172.17.1.1,172.17.1.2"},
		{"flow.dst_qp", "0x00abc012,0x00abc013"},
		{"flow.src_qp", "0x00000011,0x00000012"}, {"flow.bytes", "4000000000,4000000001"}, {"flow.src_port", "49168,49169"},
		{"flow.share", "3840,3841"},
	} {
		args, want = append(args, "-e", proto+"."+c.field), append(want, c.value)
	}
	args = append([]string{"-T", "fields", "-E", "separator=|", "-Y", proto, "-e", "udp.checksum.status"}, args...)
	if got, want := read(args...), "1|"+strings.Join(want, "|")+"\n"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := read("-T", "fields", "-e", "frame.protocols"); got != "eth:ethertype:ip:udp:"+proto+
		"\neth:ethertype:ip:udp:infiniband:data\n" {
		t.Errorf("protocols\n%s", got)
	}
	if got := read("-Y", proto); !strings.Contains(got, " ROCELAB ") ||
		!strings.Contains(got, " Clear by device 16909060, port 43981 priority 2, queue 3000000001 B, 2 flows\n") {
		t.Errorf("summary %q", got)
	}
	if bad := read("-Y", "_ws.malformed || _ws.expert.severity >= 0x00600000"); bad != "" {
		t.Errorf("malformed:\n%s", bad)
	}
}

// TestTsharkReadsReports makes tshark read two ACKs, one that reports packets beyond a gap, and one that is cut.
func TestTsharkReadsReports(t *testing.T) {
	tier.Everyday(t)
	plain := engineFrames()[1]
	plain.Opcode, plain.PayloadLen, plain.Flags, plain.Syndrome = wire.Acknowledge, 0, wire.FlagMigReq, wire.SyndromeACK
	plain.SetExtension(wire.ExtNone)
	reports := plain
	reports.SetExtension(wire.ExtSelective)
	reports.ExtA, reports.ExtTime = 0xFFFFF0, 0x8000000000000105
	whole := reports.AppendTo(nil)
	read := shark(t, plain.AppendTo(nil), whole, whole[:len(whole)-12])
	got := read("-T", "fields", "-E", "separator=|", "-Y", "rocelab_report", "-e", "infiniband.bth.opcode",
		"-e", "rocelab_report.base", "-e", "rocelab_report.bitmap", "-e", "rocelab_report.kept")
	if want := "17|16777200|0x8000000000000105|4\n"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := read("-V", "-Y", "rocelab_report"); !strings.Contains(got, "4 of 64 packets from PSN 16777200 on") {
		t.Errorf("in full: %s", got)
	}
}

// TestTsharkOnDamage: a payload that Decode would refuse is shown as malformed or not dissected, without an error of
// the script.
func TestTsharkOnDamage(t *testing.T) {
	tier.Everyday(t)
	m := messages()[2]
	whole := m.AppendTo(nil)
	change := func(at int, value byte) []byte {
		b := bytes.Clone(whole)
		b[at] = value
		return b
	}
	var frames [][]byte
	damaged := map[string][]byte{"cut in a flow": whole[:90], "cut in the header": whole[:40],
		"a byte more": append(bytes.Clone(whole), 0),
		"count":       change(23, 200), "nine flows": append(change(23, 9), make([]byte, 7*notification.FlowLen)...),
		"type": change(3, 9), "magic": change(0, 0), "version": change(2, 2), "empty": nil}
	order := []string{"cut in a flow", "cut in the header", "a byte more", "count", "nine flows", "type", "magic",
		"version", "empty"}
	for _, name := range order {
		if notification.Decode(damaged[name], new(notification.Message)) == nil {
			t.Fatalf("%s is accepted", name)
		}
		f := notice(damaged[name])
		frames = append(frames, f.AppendTo(nil))
	}
	read := shark(t, frames...)
	if got := read("-V"); strings.Contains(got, "Lua Error") {
		t.Errorf("the script fails:\n%s", got)
	}
	got := read("-T", "fields", "-E", "separator=|", "-e", "frame.protocols", "-e", "rocelab_notification.malformed")
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != len(order) {
		t.Fatalf("%d lines:\n%s", len(lines), got)
	}
	for i, line := range lines {
		ours, flagged := strings.Contains(line, ":rocelab_notification"), !strings.HasSuffix(line, "|")
		if want := i < 6; ours != want || flagged != want || strings.Contains(line, "malformed:") {
			t.Errorf("%s: %q", order[i], line)
		}
	}
}

// TestTsharkOnCNPs: a CNP that carries a rate is to tshark what one is that carries nothing: the same layers, the same
// headers, nothing malformed.
func TestTsharkOnCNPs(t *testing.T) {
	tier.Everyday(t)
	plain := wire.Frame{
		Dst:       wire.NodeMAC(2, 0),
		Src:       wire.NodeMAC(1, 0),
		EtherType: wire.EtherTypeIPv4,
		SrcIP:     0xac100003,
		DstIP:     0xac100001,
		TOS:       0xC0,
		TTL:       64,
		SrcPort:   0xC001,
		Opcode:    wire.CNP,
		Notify:    wire.BECN,
		DestQP:    0x11,
	}
	rated := plain
	rated.SetCNPRate(8300*unit.Mbps, nil)
	read := shark(t, plain.AppendTo(nil), rated.AppendTo(nil))
	lines := strings.Split(read("-T", "fields", "-e", "frame.protocols", "-e", "infiniband.bth.opcode", "-e",
		"infiniband.bth.destqp", "-e", "ip.dsfield.dscp", "-e", "frame.len"), "\n")
	if len(lines) != 3 || lines[0] != lines[1] || !strings.Contains(lines[0], "129") {
		t.Errorf("%q", lines)
	}
	if text := read("-V", "-x"); !strings.Contains(text, "206c") && !strings.Contains(text, "20 6c") {
		t.Errorf("no rate in\n%s", text)
	}
	if bad := read("-Y", "_ws.malformed || _ws.expert.severity >= 0x00600000"); bad != "" {
		t.Errorf("malformed:\n%s", bad)
	}
}
