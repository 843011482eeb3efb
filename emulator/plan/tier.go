package plan

// Tier is where a port of a switch leads to.
type Tier uint8

// The tiers.
const (
	// TierHost: to a NIC or an edge.
	TierHost Tier = iota
	// TierLeaf: to a switch that has ports to hosts.
	TierLeaf
	// TierSpine: to any other switch.
	TierSpine
	// TierDCI: over a long-haul path to another switch.
	TierDCI
	NumTiers
)

// String returns the tier as files spell it.
func (t Tier) String() string { return [...]string{"host", "leaf", "spine", "dci"}[t] }

// Tiers returns the tier of each port of each switch, in the order of the switches.
func (p *Plan) Tiers() [][]Tier {
	leaf := make([]bool, p.Nodes())
	for i := range p.Links {
		a, b := p.Links[i].A.Node, p.Links[i].B.Node
		leaf[a] = leaf[a] || p.IsHost(b)
		leaf[b] = leaf[b] || p.IsHost(a)
	}
	tiers := make([][]Tier, len(p.Switches))
	for place := range p.Switches {
		node := p.Node(p.SwitchNode(place))
		tiers[place] = make([]Tier, len(node.Links))
		for port := range node.Links {
			link := &p.Links[node.Links[port]]
			far := p.Peer(node.Links[port], End{node.ID, port}).Node
			switch {
			case !p.isSwitch(far):
				tiers[place][port] = TierHost
			case far != link.A.Node && far != link.B.Node: // a long-haul path is between
				tiers[place][port] = TierDCI
			case leaf[far]:
				tiers[place][port] = TierLeaf
			default:
				tiers[place][port] = TierSpine
			}
		}
	}
	return tiers
}

// IsHost reports whether a node is a NIC or an edge: frames end there.
func (p *Plan) IsHost(id NodeID) bool {
	kind := p.KindOf(id)
	return kind == KindNIC || kind == KindEdge
}
