package event

// far is a binary heap of items. It keeps what does not fit into the sorted
// run of a queue, so that a node with thousands of timers pays their logarithm
// and not their number.
type far []item

func (h *far) push(it item) {
	s := append(*h, it)
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !it.before(s[parent].at, s[parent].key) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = it
	*h = s
}

// pop takes the earliest item; there must be one.
func (h *far) pop() item {
	s := *h
	n := len(s) - 1
	first, last := s[0], s[n]
	s = s[:n]
	*h = s
	i, c := 0, 1 // the last item sinks from the root
	for c < n {
		if c+1 < n && s[c+1].before(s[c].at, s[c].key) {
			c++
		}
		if last.before(s[c].at, s[c].key) {
			break
		}
		s[i] = s[c]
		i, c = c, 2*c+1
	}
	if n > 0 {
		s[i] = last
	}
	return first
}
