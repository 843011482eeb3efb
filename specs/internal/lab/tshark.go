package lab

import (
	"bytes"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// ICRC is the invariant CRC of an IPv4 packet as annex A17.3.3 words it: CRC-32
// over eight bytes of ones in the place of the LRH, then the packet with what
// routers change replaced by ones: TOS, TTL, header checksum, UDP checksum, and
// the BTH's byte of FECN and BECN. The packet ends before the ICRC itself.
func ICRC(packet []byte) uint32 {
	masked := append(bytes.Repeat([]byte{0xFF}, 8), packet...)
	for _, at := range []int{1, 8, 10, 11, 26, 27, 32} {
		masked[8+at] = 0xFF
	}
	return crc32.ChecksumIEEE(masked)
}

// Tshark returns the lines that tshark prints of a capture, one for each frame;
// args say which. It skips the spec if tshark is not there.
func Tshark(file []byte, args ...string) []string {
	path := Tool("tshark")
	name := filepath.Join(GinkgoT().TempDir(), "run.pcapng")
	Expect(os.WriteFile(name, file, 0o600)).To(Succeed())
	out, err := exec.Command(path, append([]string{"-r", name, "--disable-heuristic", "rpcrdma_infiniband"},
		args...)...).Output()
	Expect(err).NotTo(HaveOccurred())
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// Tool returns the path of a program of the host; it skips the spec if it is
// not there.
func Tool(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		Skip(name+" is not installed; apt-get install "+name, 1)
	}
	return path
}

// Dissector returns the arguments that have tshark read notifications between
// switches, for specs two folders below the module's root. It skips the spec if
// tshark is not there or has no Lua.
func Dissector() []string {
	version, err := exec.Command(Tool("tshark"), "--version").Output()
	Expect(err).NotTo(HaveOccurred())
	// The text is wrapped at any blank.
	if words := strings.Join(strings.Fields(string(version)), " "); !strings.Contains(words, "with Lua") {
		Skip("tshark was built without Lua; a Wireshark with it reads rocelab.lua", 1)
	}
	return []string{"-X", "lua_script:" + filepath.FromSlash("../../emulator/wire/layers/rocelab.lua")}
}
