package scenario

import (
	"strconv"

	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/emulator/unit"
)

var fabricKinds = []string{"star", "dumbbell", "leaf-spine", "fat-tree", "two-dc", "pc4-testbed", "hpcc-fat-tree", "explicit"}

// scales are the sizes of two-dc: all of it, an eighth of its NICs and rates,
// and a sixty-fourth for one small machine.
var scales = []string{"full", "1/8", "1/64"}

// centreDraft is what the generators of published fabrics have beside the
// others' numbers.
type centreDraft struct {
	// scale is one of scales; sites, serversPerLeaf, dciLinks, dci and haul,
	// the path of each long link, are those of two-dc.
	scale                           string
	sites, serversPerLeaf, dciLinks int
	dci                             topology.Line
	haul                            wanDraft
	// double and single are the leaves of pc4-testbed; the rest are the
	// numbers of hpcc-fat-tree.
	double, single                       int
	pods, tors, aggs, hostsPerToR, cores int
}

func newCentreDraft() centreDraft {
	haul := newWANDraft()
	haul.length = 120 * unit.Kilometre
	return centreDraft{scale: "full", sites: 2, serversPerLeaf: 4, dciLinks: 32, dci: topology.Line{Rate: 400 * unit.Gbps}, haul: haul,
		double: 12, single: 8, pods: 5, tors: 4, aggs: 4, hostsPerToR: 16, cores: 4}
}

// suit gives a topology the defaults of its kind and scale; what is written is
// read over them.
func (f *fabricDraft) suit(n *node) {
	switch word(n, "kind") {
	case "pc4-testbed":
		f.nicsPerServer = 8
	case "hpcc-fat-tree":
		f.between.Rate, f.core.Rate = 400*unit.Gbps, 400*unit.Gbps
	case "two-dc":
		c := &f.centre
		f.line.Rate = 50 * unit.Gbps
		switch word(n, "scale") {
		default:
			f.leaves, f.nicsPerServer, f.between.Rate = 16, 8, 800*unit.Gbps
		case "1/8":
			f.leaves, f.between.Rate, c.dciLinks = 16, 100*unit.Gbps, 4
		case "1/64":
			f.leaves, f.between.Rate, c.dciLinks = 4, 50*unit.Gbps, 2
			c.serversPerLeaf, c.dci.Rate = 2, 100*unit.Gbps
		}
	}
}

// word returns the text of a mapping's key, "" if it has none.
func word(n *node, key string) string {
	if c := n.child(key); c != nil && c.kind == scalar {
		return c.text
	}
	return ""
}

// centreFields are the keys of the generators of published fabrics.
var centreFields = []field[fabricDraft]{
	choiceField("scale", "full", scales, "Size by default: the whole, 1024 NICs; 1/8, one NIC for each server of eight; 1/64, 16 NICs at 8 leaves. Each is 1:1 at leaves, spines and DCI; the other keys change single numbers of it.",
		func(f *fabricDraft, i int) { f.centre.scale = scales[i] }).of("two-dc"),
	integerField("sites", "2", 1, 2, "2 for two data centres, 1 for both clusters in one: the leaves of both share the spines, of twice the size, and there is no DCI; hosts, leaves and their names are the same.",
		func(f *fabricDraft) *int { return &f.centre.sites }).of("two-dc"),
	integerField("servers_per_leaf", "4", 1, 1024, "Servers at each leaf; 2 at scale 1/64.", func(f *fabricDraft) *int { return &f.centre.serversPerLeaf }).of("two-dc"),
	integerField("dci_links", "32", 1, 1024, "Parallel long links of each pair of spines; 4 at scale 1/8, 2 at 1/64. A quarter of them is a DCI that is oversubscribed 4:1.",
		func(f *fabricDraft) *int { return &f.centre.dciLinks }).of("two-dc"),
	rateField("dci_rate", "400Gbps", minRate, maxRate, "Rate of each long link; 100Gbps at scale 1/64.", func(f *fabricDraft) *unit.BitRate { return &f.centre.dci.Rate }).of("two-dc"),
	objectField("dci_wan", "The long-haul path of each long link, a node of its own: wan0 and so on, the links of a pair of spines side by side. Default {length: 120km}.", wanKeys, func(f *fabricDraft) *wanDraft { return &f.centre.haul }).of("two-dc"),
	integerField("double_leaves", "12", 0, 1024, "Leaves with two servers, each of nics_per_server hosts.", func(f *fabricDraft) *int { return &f.centre.double }).of("pc4-testbed"),
	integerField("single_leaves", "8", 0, 1024, "Leaves with one server.", func(f *fabricDraft) *int { return &f.centre.single }).of("pc4-testbed"),
	integerField("pods", "5", 1, 256, "Pods.", func(f *fabricDraft) *int { return &f.centre.pods }).of("hpcc-fat-tree"),
	integerField("tors_per_pod", "4", 1, 256, "ToR switches of each pod.", func(f *fabricDraft) *int { return &f.centre.tors }).of("hpcc-fat-tree"),
	integerField("aggs_per_pod", "4", 1, 256, "Aggregation switches of each pod, each joined to every ToR switch of it.", func(f *fabricDraft) *int { return &f.centre.aggs }).of("hpcc-fat-tree"),
	integerField("hosts_per_tor", "16", 1, 1024, "Hosts at each ToR switch.", func(f *fabricDraft) *int { return &f.centre.hostsPerToR }).of("hpcc-fat-tree"),
	integerField("cores_per_agg", "4", 1, 256, "Core switches of each aggregation switch; those of the same number in each pod share theirs.", func(f *fabricDraft) *int { return &f.centre.cores }).of("hpcc-fat-tree"),
}

// twoDC is the pair of data centres as written, between its links from leaf to
// spine.
func (f *fabricDraft) twoDC(between topology.Line) *topology.TwoDC {
	c := &f.centre
	dci := topology.Line{Rate: c.haul.rate(c.dci.Rate), Latency: unit.Microsecond} // the paths bring their own
	return &topology.TwoDC{Joined: c.sites == 1, Leaves: f.leaves, Spines: f.spines, Servers: c.serversPerLeaf, NICs: f.nicsPerServer,
		Uplinks: f.uplinks, DCILinks: c.dciLinks, Line: f.line, Uplink: between, DCI: dci}
}

// named says what a pair of data centres is, and in what size: a scaled or
// oversubscribed run must not pass for the whole.
func (f *fabricDraft) named() string {
	c := &f.centre
	d := f.twoDC(topology.Line{})
	hosts, _ := d.Size()
	text := "two-dc"
	if c.scale != "full" {
		text += " at " + c.scale + " of full size"
	}
	text += ", " + strconv.Itoa(hosts) + " NICs"
	if d.Joined {
		return text + " in one building"
	}
	ratio := float64(hosts/2) * float64(d.Line.Rate) / (float64(d.Spines*d.DCILinks) * float64(d.DCI.Rate))
	return text + ", DCI " + strconv.FormatFloat(ratio, 'g', 3, 64) + ":1"
}

// dci returns the paths of the links between the sites, which are the last of the
// graph.
func (f *fabricDraft) dci(g *topology.Graph) []haul {
	n := f.spines * f.centre.dciLinks
	hauls := make([]haul, n)
	for i := range hauls {
		hauls[i] = haul{len(g.Links) - n + i, &f.centre.haul}
	}
	return hauls
}

// fibre is a long link by its length.
type fibre struct {
	length    unit.Length
	equipment unit.Duration
}

// latency is that of the fibre; it refuses one that takes no time.
func (l *fibre) latency(r *reader, n *node, key string) unit.Duration {
	d := l.length.Propagation() + l.equipment
	if d <= 0 {
		r.add(n.where(key), "%s is 0 and there is no equipment delay: a link without latency would leave the run's windows no length; allowed is at least 1mm, or an equipment delay", key)
		return unit.Picosecond
	}
	return d
}
