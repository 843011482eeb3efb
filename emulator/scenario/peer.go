package scenario

import (
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var peerPass = pass{
	name:  "peers",
	after: []*pass{&nicPass, &edgePass, &flowPass},
	run:   addPeers,
}

// addPeers puts the connections to real stacks into the plan.
func addPeers(b *builder) {
	names, ends := map[string]int{}, map[int]uint32{}
	for i := range b.peers {
		draft := &b.peers[i]
		if draft.edge == "" || draft.qp == 0 {
			b.requireReported(draft.node)
			continue
		}
		edge := slices.IndexFunc(b.edges, func(e *edgeDraft) bool { return e.name == draft.edge })
		if edge < 0 {
			b.add(draft.node.Where("edge"), "edge: %q is not an edge: known are %s", shorten(draft.edge), knownEdges(b))
			continue
		}
		nic := peerHost(b, draft)
		if nic < 0 {
			continue
		}
		name := draft.name
		for number := 2; name == "" || draft.name == "" && names[name] > 0; number++ {
			if name = draft.edge; names[name] > 0 {
				name = fmt.Sprintf("%s-%d", draft.edge, number)
			}
		}
		if line := names[name]; line > 0 {
			b.add(draft.node.Where("name"), "peer %q is written twice: line %d has it already", name, line)
			continue
		}
		names[name] = draft.at.Line
		p := plan.Peer{
			Name:    name,
			NIC:     nic,
			Edge:    edge,
			IP:      plan.StationIP(b.numNICs() + edge),
			MAC:     wire.NodeMAC(uint32(int(b.graph.Host(b.numNICs()+edge))+len(b.wanLinks)), 0),
			QP:      uint32(draft.qp),
			OwnQP:   peer.FirstQP + ends[nic],
			SrcPort: uint16(draft.srcPort),
			DSCP:    draft.dscp,
			Verbs:   draft.verbs,
		}
		ends[nic]++
		peerAddresses(b, draft, &p)
		peerVerbs(b, draft, &p)
		if draft.algorithm != nil {
			drive(b, draft, &p)
		}
		b.plan.Peers = append(b.plan.Peers, p)
	}
}

func knownEdges(b *builder) string {
	if len(b.edges) == 0 {
		return "none"
	}
	var names []string
	for _, e := range b.edges {
		names = append(names, e.name)
	}
	return listEnds(names)
}

// peerHost returns the NIC of our end, -1 if there is none.
func peerHost(b *builder, draft *peerDraft) int {
	switch i := slices.Index(b.nicNames(), draft.host); {
	case b.numNICs() == 0:
		b.add(draft.at, "no host has an emulated NIC: a peer needs one as our end")
	case draft.host == "":
		return 0
	case i >= 0:
		return i
	default:
		b.add(draft.node.Where("host"), "host: %s", b.meansNoHost(draft.host))
	}
	return -1
}

// peerAddresses reads the addresses of the stack.
func peerAddresses(b *builder, draft *peerDraft, p *plan.Peer) {
	if want := address(p.IP); draft.ip != "" {
		if got, err := netip.ParseAddr(draft.ip); err != nil || got != want {
			b.add(draft.node.Where("ip"), "ip is %s: allowed is %v, the address that the fabric routes to edge %s",
				shorten(draft.ip), want, draft.edge)
		}
	}
	if draft.mac != "" {
		mac, err := net.ParseMAC(draft.mac)
		if err != nil || len(mac) != 6 {
			b.add(draft.node.Where("mac"), "mac: %q is not an address of six bytes such as 02:00:00:00:00:01",
				shorten(draft.mac))
			return
		}
		p.MAC = wire.MAC(mac)
	}
}

// peerVerbs fills in memory, numbers of ours and work.
func peerVerbs(b *builder, draft *peerDraft, p *plan.Peer) {
	v := &p.Verbs
	rng := chance.New(b.seed, "peer/"+p.Name)
	v.MTU = peer.PathMTU(int(min(b.plan.MTU, draft.mtu)))
	if v.MTU == 0 {
		b.add(draft.at, "the mtu of the scenario is %v: a peer needs at least 256 B", b.plan.MTU)
	}
	if least := unit.Bytes(v.MTU) + peerHeaders; b.edges[p.Edge].MTU < least {
		b.add(draft.at, "a path MTU of %d B needs an mtu of at least %v at the edge: %s has %v", v.MTU, least, draft.edge,
			b.edges[p.Edge].MTU)
	}
	v.PeerQP, v.PeerPSN, v.FirstPSN = p.QP, uint32(draft.psn), uint32(rng.Below(1<<24))
	v.Memory = peer.Region{RKey: uint32(rng.Below(1<<32)) | 1, VA: peer.VA, Length: uint64(draft.memory)}
	v.Peer.RKey, v.Peer.Length = uint32(draft.rkey), uint64(draft.room)
	v.ReceiveSize = uint64(draft.receive)
	v.Seed = rng.Uint64()
	for i := range draft.work {
		w := &draft.work[i]
		one := w.work
		one.Length, one.To, one.RKey = uint64(w.length), uint64(w.to), uint32(w.rkey)
		if err := peer.CheckWork(&one, v.Peer.Length); err != nil {
			b.add(w.at, "work of peer %s: %v", p.Name, err)
		}
		v.Work = append(v.Work, one)
	}
}

// peerHeaders are the bytes that IPv4, UDP and the transport add to a payload at the most: IPv4 20, UDP 8, BTH 12, RETH
// 16, immediate 4 and ICRC 4.
const peerHeaders = 64
