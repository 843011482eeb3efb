package proximal

// ReplayWindow separates new sequence numbers from repeated ones, of one sender
// of messages, by the anti-replay window of RFC 4303, section 3.4.3: numbers up
// to 63 behind the newest are known one by one, older ones are refused. The zero
// value has seen none. Numbers wrap around.
type ReplayWindow struct {
	newest uint32
	seen   uint64 // bit i for newest - i; 0 for a window that has seen none
}

// Accept reports whether sequence is new, and remembers it.
func (w *ReplayWindow) Accept(sequence uint32) bool {
	ahead := int32(sequence - w.newest)
	switch {
	case w.seen == 0:
		w.newest, w.seen = sequence, 1
	case ahead > 0:
		w.newest = sequence
		if ahead < 64 {
			w.seen = w.seen<<ahead | 1
		} else {
			w.seen = 1
		}
	case ahead <= -64 || w.seen&(1<<-ahead) != 0:
		return false
	default:
		w.seen |= 1 << -ahead
	}
	return true
}
