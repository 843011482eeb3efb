package proximal

// The heap of a Table's entries; see Table.ranks.

// sink puts the entry at place i, which may have to stand farther behind, where
// it belongs.
func (t *Table) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.ranks); child++ {
			if t.ranks[child].ranked < t.ranks[least].ranked {
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
	r := t.ranks
	r[i], r[j] = r[j], r[i]
	r[i].place, r[j].place = i, j
}

// unrank takes an entry out.
func (t *Table) unrank(entry *Entry) {
	i, last := entry.place, len(t.ranks)-1
	t.swap(i, last)
	t.ranks[last] = nil
	t.ranks = t.ranks[:last]
	if i == last {
		return
	}
	for parent := (i - 1) / 2; i > 0 && t.ranks[i].ranked < t.ranks[parent].ranked; parent = (i - 1) / 2 {
		t.swap(i, parent)
		i = parent
	}
	t.sink(i)
}
