package proximal

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Pacer sends several CNPs to one flow at some distance from each other. The
// zero value has nothing to send.
type Pacer struct {
	turns []turn // in the order of time
	head  int
}

type turn struct {
	*Entry
	at unit.Time
}

// Add has n more CNPs sent for a flow, and reports whether one may leave at once. most
// bounds the CNPs that wait.
func (p *Pacer) Add(entry *Entry, n, most int) (now bool) {
	idle := entry.cnpsLeft == 0
	entry.cnpsLeft = min(entry.cnpsLeft+n, most)
	return idle && entry.cnpsLeft > 0
}

// Sent takes note of a CNP sent for a flow at now; the next follows after spacing,
// which is nearly always the same, so that its turn comes last of all. The turn of the
// last CNP is kept too, so that one that is added later keeps the distance.
func (p *Pacer) Sent(entry *Entry, now unit.Time, spacing unit.Duration) {
	if p.head > 0 && len(p.turns) == cap(p.turns) { // the room of those that came is free
		n := copy(p.turns, p.turns[p.head:])
		clear(p.turns[n:])
		p.turns, p.head = p.turns[:n], 0
	}
	next := turn{entry, now.Add(spacing)}
	i := len(p.turns)
	for p.turns = append(p.turns, next); i > p.head && p.turns[i-1].at > next.at; i-- {
		p.turns[i] = p.turns[i-1]
	}
	p.turns[i] = next
}

// Next returns when a turn comes, unit.Never for never.
func (p *Pacer) Next() unit.Time {
	if p.head == len(p.turns) {
		return unit.Never
	}
	return p.turns[p.head].at
}

// Turn takes the turn that came; it returns the entry to send a CNP for, nil if
// that one has had all, or is gone.
func (p *Pacer) Turn() *Entry {
	e := p.turns[p.head].Entry
	p.turns[p.head] = turn{}
	if p.head++; p.head == len(p.turns) {
		p.turns, p.head = p.turns[:0], 0
	}
	if e.cnpsLeft--; e.cnpsLeft <= 0 || e.removed {
		e.cnpsLeft = 0
		return nil
	}
	return e
}
