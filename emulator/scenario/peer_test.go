package scenario

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/peer"
)

// withPeer is a fabric with an edge and peers, which follow.
const withPeer = `
mtu: 1500B
topology:
  nodes:
    - {name: h0}
    - {name: h1}
    - {name: guest, kind: edge, interface: va}
    - {name: s, kind: switch}
  rate: 1Gbps
  links: [{endpoints: [h0, s]}, {endpoints: [h1, s]}, {endpoints: [guest, s]}]
run: {until: 1ms}
peers:
`

// A peer is a connection between a NIC and the stack, with the numbers of the file there and ours from the seed.
func TestPeers(t *testing.T) {
	p := plansOf(t, withPeer+`  - {edge: guest, qp: 17, psn: 5, rkey: 9, va: 4096, length: 64KiB, mtu: 2048B,
     credits: true,
     work: [{verb: write, length: 10B, to: 12B, count: 2}, {verb: random, to: 1KB, start: 1us, rkey: 3}]}
  - {edge: guest, qp: 18, host: h1, mtu: 512B, mac: "02:00:00:00:00:09", dscp: 3, source_port: 5000}
  - {edge: guest, qp: 19, name: last, ip: 10.0.0.3}
`)[0]
	if len(p.Peers) != 3 {
		t.Fatal(p.Peers)
	}
	first, second, last := &p.Peers[0], &p.Peers[1], &p.Peers[2]
	v := &first.Verbs
	if first.Name != "guest" || second.Name != "guest-2" || last.Name != "last" || first.NIC != 0 || second.NIC != 1 {
		t.Errorf("%+v", p.Peers)
	}
	if v.MTU != 1024 || second.Verbs.MTU != 512 || v.PeerPSN != 5 || v.PeerQP != 17 ||
		v.Peer != (peer.Region{RKey: 9, VA: 4096, Length: 65536}) {
		t.Errorf("%+v", v)
	}
	if first.OwnQP != peer.FirstQP || second.OwnQP != peer.FirstQP || last.OwnQP != peer.FirstQP+1 {
		t.Errorf("QPs %#x, %#x, %#x", first.OwnQP, second.OwnQP, last.OwnQP)
	}
	if len(v.Work) != 2 || v.Work[0].Messages() != 6 || v.Work[1].Messages() != 1 || v.Work[1].RKey != 3 || !v.Credits {
		t.Errorf("%+v", v.Work)
	}
	if v.FirstPSN == second.Verbs.FirstPSN || v.Memory.RKey == second.Verbs.Memory.RKey || v.Memory.Length != 1_000_000 {
		t.Errorf("%+v %+v", v.Memory, second.Verbs.Memory)
	}
	if second.MAC != [6]byte{2, 0, 0, 0, 0, 9} || second.DSCP != 3 || second.SrcPort != 5000 || first.SrcPort != 0xC000 {
		t.Errorf("%+v", second)
	}
	if err := v.Check(); err != nil {
		t.Error(err)
	}
	report := Analyse(p, nil).Peers[1]
	text := report.Commands("eth0", "rxe0")
	for _, want := range []string{"mac: 02:00:00:00:00:09", "ip link set eth0 address 02:00:00:00:00:09 mtu 1500 up",
		"ip address replace 10.0.0.3/8 dev eth0", "ip neighbour replace 10.0.0.2 lladdr 02:00:00:02:00:00 dev eth0",
		"rocelab-peer -d rxe0 -g 1 -m 512 -p 0", "\nconnect 10.0.0.2 8388608 "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// Errors of peers are reported with their places.
func TestPeersAreRefused(t *testing.T) {
	for entry, want := range map[string]string{
		"{edge: guess, qp: 17}":                       `13:12: edge: "guess" is not an edge: known are guest`,
		"{edge: guest}":                               "13:5: peer lacks qp",
		"{edge: guest, qp: 0}":                        "13:23: qp is 0: allowed is 1 to 16777215",
		"{edge: guest, qp: 17, host: guest}":          `13:33: host: "guest" is an edge`,
		"{edge: guest, qp: 17, ip: 10.0.0.9}":         "13:31: ip is 10.0.0.9: allowed is 10.0.0.3",
		"{edge: guest, qp: 17, mac: 02:00}":           `13:32: mac: "02:00" is not an address of six bytes`,
		"{edge: guest, qp: 17, mtu: 255B}":            "mtu is 255B: allowed is 256B to 4096B",
		"{edge: guest, qp: 17, work: [{verb: jump}]}": `13:41: unknown verb "jump": allowed are`,
		"{edge: guest, qp: 17, work: [{verb: write, length: 9B}]}": "work of peer guest: write of 9 B does not fit into " +
			"the peer's 0 B",
		"{edge: guest, qp: 17, length: 99B, work: [{verb: read, length: 9B, to: 8B}]}": "to is 8 B: allowed is length, 9 B",
		"{edge: guest, qp: 17, name: x}\n  - {edge: guest, qp: 18, name: x}": `14:33: peer "x" is written twice: ` +
			"line 13 has it already",
	} {
		t.Run(entry, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(withPeer+"  - "+entry+"\n"), known)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	small := strings.Replace(withPeer, "mtu: 1500B", "mtu: 200B", 1) + "  - {edge: guest, qp: 17}\n"
	large := strings.Replace(withPeer, "mtu: 1500B", "mtu: 2048B", 1) + "  - {edge: guest, qp: 17}\n"
	for text, want := range map[string]string{small: "a peer needs at least 256 B",
		large: "a path MTU of 2048 B needs an mtu of at least 2.112KB at the edge: guest has 1.5KB"} {
		t.Run(text, func(t *testing.T) {
			if _, err := Parse("x.yaml", []byte(text), known); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}
