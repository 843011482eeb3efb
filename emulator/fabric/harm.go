package fabric

// Harm is one thing that happens to frames on a link, beside outages, losses and slow spans. It is plain data, so that
// it reaches daemons: the model of each kind, with its name, stands in a file of emulator/link.
type Harm struct {
	// Kind is the name of the model.
	Kind string
	// Way has the directions of the link; at an end it is BothWays, for those of the frames that arrive there.
	Way Way `json:",omitzero"`
}

// HarmsAt returns the harms of frames that arrive at one end of a link.
func HarmsAt(atB bool, all []Harm) (list []Harm) {
	for _, harm := range all {
		if harm.Way == BothWays || (harm.Way == AToB) == atB {
			list = append(list, Harm{Kind: harm.Kind})
		}
	}
	return list
}
