package plan

// Pin is the path that a flow's data must take, of several shortest ones.
type Pin struct {
	// Number counts the path among Of, from 0 in the order of the ports of the first
	// switch, then of the second, and so on.
	Number, Of int
	// Ports are the ports through which the switches on it send, in their order.
	Ports []uint16
	// Balanced is set if it was chosen for an equal load of DCI ports.
	Balanced bool `json:",omitzero"`
}

// PortsOn returns the ports of switches that a NIC's traffic leaves, if the switches on its way send through these
// ports.
func (p *Plan) PortsOn(nic int, ports []uint16) (list []End) {
	end := End{Node: p.NICNode(nic)}
	for _, port := range ports {
		at := p.Node(end.Node)
		end = End{Node: p.Peer(at.Links[end.Port], end).Node, Port: int(port)}
		list = append(list, end)
	}
	return list
}

// SwitchesOf returns the switches on the path of a pinned flow, by number, in its order.
func (p *Plan) SwitchesOf(flow *Flow) (list []int) {
	for _, end := range p.PortsOn(flow.Src, flow.Pin.Ports) {
		list = append(list, p.Node(end.Node).Index)
	}
	return list
}
