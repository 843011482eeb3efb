package inband

// MaxHops is the number of records that a stack has room for.
const MaxHops = 5

// Stack has the records that a packet gathers on its way.
type Stack struct {
	// Hops counts the switches that the packet passed, also beyond Max; Max is the number that may write. Range: Max 0
	// to MaxHops.
	Hops, Max uint8
	// Path distinguishes the path from others, also if its links have the same rates: each switch adds its egress
	// link's 16 bits by exclusive or.
	Path uint16
	// Record holds the first Max hops' records in the order of the path.
	Record [MaxHops]Record
}

// Push adds the next hop's record if there is room for it.
func (s *Stack) Push(record Record) {
	if s.Hops < s.Max {
		s.Record[s.Hops] = record
	}
	if s.Hops < ^uint8(0) {
		s.Hops++
	}
}

// Records returns the written records.
func (s *Stack) Records() []Record { return s.Record[:min(s.Hops, s.Max, MaxHops)] }
