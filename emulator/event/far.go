package event

// far is a binary heap of items. It keeps what does not fit into the sorted
// run of a queue, so that a node with thousands of timers pays their logarithm
// and not their number.
type far []item

func (h *far) push(it item) {
	items := append(*h, it)
	i := len(items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !it.before(items[parent].at, items[parent].key) {
			break
		}
		items[i] = items[parent]
		i = parent
	}
	items[i] = it
	*h = items
}

// pop takes the earliest item; there must be one.
func (h *far) pop() item {
	items := *h
	n := len(items) - 1
	first, last := items[0], items[n]
	items = items[:n]
	*h = items
	i, c := 0, 1 // the last item sinks from the root
	for c < n {
		if c+1 < n && items[c+1].before(items[c].at, items[c].key) {
			c++
		}
		if last.before(items[c].at, items[c].key) {
			break
		}
		items[i] = items[c]
		i, c = c, 2*c+1
	}
	if n > 0 {
		items[i] = last
	}
	return first
}
