package rules

import (
	"bytes"
	"encoding/binary"
	"slices"

	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// mesh has loops: three leaves, each linked twice to both spines. Three hosts are edges.
const mesh = `
algorithm: dcqcn
topology: {kind: leaf-spine, leaves: 3, spines: 2, hosts_per_leaf: 2, uplinks: 4, rate: 10Gbps}
edges: [{node: h0, interface: a}, {node: h2, interface: b}, {node: h5, interface: c, mtu: 9000B}]
traffic: [{from: h1, to: h4, size: 300KB}]
controller: {latency: 200us}
run: {until: 25ms}
`

// hosts are the frames that come in at the edges of a scenario, in the order of time at each.
type hosts map[string][]incoming

type incoming struct {
	at    unit.Time
	frame []byte
}

// send adds a frame that comes in at an edge, at a time after all before.
func (h hosts) send(edge string, at unit.Time, frame []byte) {
	h[edge] = append(h[edge], incoming{at, frame})
}

// run replays the frames at the edges of a scenario. It returns the run and the frames heard at each edge, without our
// pauses.
func (h hosts) run(yaml string) (r *lab.Run, heard map[string][][]byte) {
	plan := lab.Plans(yaml)[0]
	journals := map[string]*journal.Reader{}
	var ports []string
	for _, i := range plan.Edges() {
		name := plan.Devices[i].Name
		var file bytes.Buffer
		w, err := journal.NewWriter(&file, journal.Header{Edge: name}, 0)
		Expect(err).NotTo(HaveOccurred())
		for _, in := range h[name] {
			w.Add(in.at, in.at, in.frame)
		}
		Expect(w.Close(plan.Until)).To(Succeed())
		journals[name], err = journal.Open(name, bytes.NewReader(file.Bytes()))
		Expect(err).NotTo(HaveOccurred())
		ports = append(ports, name+":0")
	}
	options := lab.Options{Lossy: true}
	options.Edges = func(edge string) *journal.Reader { return journals[edge] }
	r, file := lab.Capture(plan, options, ports...)
	heard = map[string][][]byte{}
	for _, f := range lab.Frames(file) {
		if edge := f.Port[:len(f.Port)-2]; f.Direction == pcapng.Inbound && !bytes.HasPrefix(f.Bytes, pauses) {
			heard[edge] = append(heard[edge], f.Bytes)
		}
	}
	return r, heard
}

// pauses is the address of pauses, all the broadcast address.
var (
	pauses = []byte{1, 0x80, 0xC2, 0, 0, 1}
	all    = bytes.Repeat([]byte{0xFF}, 6)
)

// station returns the Ethernet address of an outside host.
func station(i int) []byte { return []byte{2, 0xAA, 0, byte(i >> 16), byte(i >> 8), byte(i)} }

// ethernet is a frame of at least 60 bytes.
func ethernet(dst, src []byte, rest ...byte) []byte {
	b := slices.Concat(dst, src, rest)
	return append(b, make([]byte, max(0, 60-len(b)))...)
}

// arp is a frame of n bytes that no station of the fabric is asked for by.
func arp(dst, src []byte, n int) []byte {
	return ethernet(dst, src, append([]byte{8, 6}, make([]byte, n-14)...)...)
}

// datagram is UDP over IPv4 between two networks that are none of the fabric's.
func datagram(dst, src []byte, tos byte, n int) []byte {
	b := ethernet(dst, src, append([]byte{8, 0}, make([]byte, n-14)...)...)
	ip := b[14:]
	ip[0], ip[1], ip[8], ip[9] = 0x45, tos, 64, 17
	binary.BigEndian.PutUint16(ip[2:], uint16(len(ip)))
	copy(ip[12:], []byte{192, 0, 2, 1, 192, 0, 2, 2})
	binary.BigEndian.PutUint16(ip[10:], ^onesSum(ip[:20]))
	return b
}

// onesSum is the one's complement sum of the words of b (RFC 1071).
func onesSum(b []byte) uint16 {
	sum := uint32(0)
	for ; len(b) > 1; b = b[2:] {
		sum += uint32(b[0])<<8 | uint32(b[1])
	}
	if len(b) > 0 {
		sum += uint32(b[0]) << 8
	}
	for sum > 0xFFFF {
		sum = sum>>16 + sum&0xFFFF
	}
	return uint16(sum)
}
