package capacity

// Between and HostsBySwitch are for a test that divides the hosts in other ways.
var (
	Between       = between
	HostsBySwitch = hostsBySwitch
)

// At is the number of the host's switch.
func (h switchHost) At() int { return h.at }
