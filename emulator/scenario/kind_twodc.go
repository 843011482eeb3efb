package scenario

import (
	"strconv"

	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// twoDC is a pair of data centres that train one model. Its scales are all of
// it, an eighth of its NICs and rates, and a sixty-fourth for one small machine.
var twoDC = kind{
	name: "two-dc",
	doc: "two data centres, clusters a and b: 64 servers of eight 50 Gb/s NICs each, " +
		"spines joined over 120 km",
	nodes: "`a-leaf0`, `a-spine0`, `a-h0`, `a-server0`, and the same with `b`",
	keys: []key{
		common("leaves").meaning("those of each cluster").byDefault("16").at("1/64", "4"),
		common("spines").meaning("those of each cluster"),
		common("uplinks"),
		common("rate").byDefault("50Gbps"), common("latency"),
		common("uplink_rate").byDefault("800Gbps").at("1/8", "100Gbps").at("1/64", "50Gbps"), common("uplink_latency"),
		common("nics_per_server").byDefault("8").at("1/8", "1").at("1/64", "1"),
		own(choiceField("scale", "full", scales, `Size by default: the whole, 1024 NICs; 1/8, one NIC for each server `+
			`of eight; 1/64, 16 NICs at 8 leaves. Each is 1:1 at leaves, spines and DCI; the other keys change single `+
			`numbers of it.`,
			func(f *fabricDraft, i int) { twoDCOf(f).scale = scales[i] })),
		own(integerField("sites", "2", 1, 2, `2 for two data centres, 1 for both clusters in one: the leaves of both `+
			`share the spines, of twice the size, and there is no DCI; hosts, leaves and their names are the same.`,
			func(f *fabricDraft) *int { return &twoDCOf(f).sites })),
		own(integerField("servers_per_leaf", "4", 1, 1024, `Servers at each leaf; {scaled}.`,
			func(f *fabricDraft) *int { return &twoDCOf(f).serversPerLeaf })).at("1/64", "2"),
		own(integerField("dci_links", "32", 1, 1024, `Parallel long links of each pair of spines; {scaled}. A `+
			`quarter of them gives a DCI that is oversubscribed 4:1.`,
			func(f *fabricDraft) *int { return &twoDCOf(f).dciLinks })).at("1/8", "4").at("1/64", "2"),
		own(rateField("dci_rate", "400Gbps", minRate, maxRate, `Rate of each long link; {scaled}.`,
			func(f *fabricDraft) *unit.BitRate { return &twoDCOf(f).dci.Rate })).at("1/64", "100Gbps"),
		own(objectField("dci_wan",
			`The long-haul path of each long link, a node of its own: wan0 and so on, the links of `+
				`a pair of spines side by side. Default `+defaultDCI+`.`, wanKeys,
			func(f *fabricDraft) *wanDraft { return &twoDCOf(f).haul })),
	},
	scaledBy: "scale",
	fresh: func() any {
		d := &twoDCDraft{haul: newWANDraft()}
		readDefault(wanKeys.read, defaultDCI, &d.haul)
		d.haul.node = nil // it is written nowhere
		return d
	},
	check:   checkTwoDC,
	graph:   graphTwoDC,
	servers: serversTwoDC,
}

var scales = []string{"full", "1/8", "1/64"}

const defaultDCI = "{length: 120km}"

// twoDCDraft is the pair's own keys; haul is the path of each long link.
type twoDCDraft struct {
	scale                           string
	sites, serversPerLeaf, dciLinks int
	dci                             topology.Line
	haul                            wanDraft
}

func twoDCOf(draft *fabricDraft) *twoDCDraft { return draft.own.(*twoDCDraft) }

func checkTwoDC(r *reader, n *node, draft *fabricDraft) {
	d := twoDCOf(draft)
	refuseBesideWAN(r, n, &d.haul, "dci_rate")
	if paths := draft.spines * d.dciLinks; d.haul.name != "" && paths > 1 {
		r.add(d.haul.node.Where("name"), "name with %d long-haul paths: each needs a different one, leave it out "+
			"to have wan0 and so on", paths)
	}
}

// graphTwoDC makes the pair. The links between the sites are the last of the
// graph.
func graphTwoDC(b *builder, draft *fabricDraft) *topology.Graph {
	d := twoDCOf(draft)
	b.plan.Fabric = nameTwoDC(draft)
	g := b.graphWithinLimits(pairOf(draft))
	if g == nil || d.sites == 1 {
		return g
	}
	hauls := make([]wanLink, draft.spines*d.dciLinks)
	for i := range hauls {
		hauls[i] = wanLink{len(g.Links) - len(hauls) + i, &d.haul}
	}
	b.insertWANs(g, hauls)
	return g
}

func serversTwoDC(b *builder) { b.nameServers(pairOf(&b.fabric).Server) }

// pairOf is the pair of data centres as written.
func pairOf(draft *fabricDraft) *topology.TwoDC {
	pair := twoDCOf(draft)
	return &topology.TwoDC{
		Joined:   pair.sites == 1,
		Leaves:   draft.leaves,
		Spines:   draft.spines,
		Servers:  pair.serversPerLeaf,
		NICs:     draft.nicsPerServer,
		Uplinks:  draft.uplinks,
		DCILinks: pair.dciLinks,
		Line:     draft.line,
		Uplink:   withDefaults(draft.uplink, draft.line),
		// The paths bring their own latencies.
		DCI: topology.Line{Rate: pair.haul.rate(pair.dci.Rate), Latency: unit.Microsecond},
	}
}

// nameTwoDC describes a pair of data centres and its size: a scaled or oversubscribed run must not pass for the whole.
func nameTwoDC(draft *fabricDraft) string {
	pair := pairOf(draft)
	hosts, _ := pair.Size()
	text := draft.kind.name
	if scale := twoDCOf(draft).scale; scale != scales[0] {
		text += " at " + scale + " of full size"
	}
	text += ", " + strconv.Itoa(hosts) + " NICs"
	if pair.Joined {
		return text + " in one building"
	}
	ratio := float64(hosts/2) * float64(pair.Line.Rate) / (float64(pair.Spines*pair.DCILinks) * float64(pair.DCI.Rate))
	return text + ", DCI " + strconv.FormatFloat(ratio, 'g', 3, 64) + ":1"
}
