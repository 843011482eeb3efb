package proximal

// The heap of a Table's entries; see Table.heap.

// siftDown moves the entry at place i back to where it belongs.
func (t *Table) siftDown(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if t.heap[child].heapKey < t.heap[least].heapKey {
				least = child
			}
		}
		if least == i {
			return
		}
		t.swap(i, least)
		i = least
	}
}

func (t *Table) swap(i, j int) {
	r := t.heap
	r[i], r[j] = r[j], r[i]
	r[i].heapIndex, r[j].heapIndex = i, j
}

// removeFromHeap takes an entry out.
func (t *Table) removeFromHeap(entry *Entry) {
	i, last := entry.heapIndex, len(t.heap)-1
	t.swap(i, last)
	t.heap[last] = nil
	t.heap = t.heap[:last]
	if i == last {
		return
	}
	for parent := (i - 1) / 2; i > 0 && t.heap[i].heapKey < t.heap[parent].heapKey; parent = (i - 1) / 2 {
		t.swap(i, parent)
		i = parent
	}
	t.siftDown(i)
}
