package model

import (
	"encoding/json"
	"iter"

	"github.com/rocelab/rocelab/nicd"
)

// End is one end of a flow. One of Sender and Receiver is set, without its
// Controller and Chance: the builder makes those from Algorithm, an index into
// Fabric.Algorithms, and from the run's seed and the flow's name.
type End struct {
	Algorithm int
	Sender    *nicd.SenderConfig
	Receiver  *nicd.ReceiverConfig
}

// Ends are the flow ends at a NIC, in the order of their QPs. The ends of a plan are made whenever they are asked for;
// as a message they are a list. The zero value has none.
type Ends struct {
	// flows and of are for the ends of a plan: the number of the flow of each, twice, plus 1 for its sending end.
	flows *flows
	of    []uint32
	// list is for others.
	list []End
}

// EndsOf returns the given ends.
func EndsOf(list ...End) Ends { return Ends{list: list} }

// add adds an end of flow i of a plan, and returns its QP.
func (e *Ends) add(all *flows, i int, sends bool) (qp uint32) {
	e.flows = all
	number := uint32(i) << 1
	if sends {
		number++
	}
	e.of = append(e.of, number)
	return qpOf(len(e.of) - 1)
}

// Len is the number of ends, from 0.
func (e *Ends) Len() int { return len(e.of) + len(e.list) }

// At returns end i.
func (e *Ends) At(i int) End {
	switch {
	case e.flows == nil:
		return e.list[i]
	case e.sends(i):
		return e.flows.sender(e.flow(i))
	}
	return e.flows.receiver(e.flow(i))
}

// All are the ends in their order.
func (e *Ends) All() iter.Seq2[int, End] {
	return func(yield func(int, End) bool) {
		for i := range e.Len() {
			if !yield(i, e.At(i)) {
				return
			}
		}
	}
}

// flow is the number of the flow of end i, sends reports whether it is the sending end, and sized whether such a flow
// has a size.
func (e *Ends) flow(i int) uint32 {
	if e.flows != nil {
		return e.of[i] >> 1
	}
	if c := e.list[i].Sender; c != nil {
		return c.Flow
	}
	return e.list[i].Receiver.Flow
}

func (e *Ends) sends(i int) bool {
	if e.flows != nil {
		return e.of[i]&1 != 0
	}
	return e.list[i].Sender != nil
}

func (e *Ends) sized(i int) bool {
	if e.flows != nil {
		return e.flows.plan.Flows[e.flow(i)].Size > 0
	}
	return e.list[i].Sender.Size > 0
}

// algorithm is the algorithm of end i.
func (e *Ends) algorithm(i int) int {
	if e.flows != nil {
		return int(e.flows.list[e.flow(i)].algorithm)
	}
	return e.list[i].Algorithm
}

// inSeries reports whether a flow of that series begins here.
func (e *Ends) inSeries(series int) bool {
	for _, end := range e.All() {
		if end.Sender != nil && end.Sender.Series == series {
			return true
		}
	}
	return false
}

// MarshalJSON writes them as a list.
func (e Ends) MarshalJSON() ([]byte, error) {
	var list []End
	for _, end := range e.All() {
		list = append(list, end)
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads such a list.
func (e *Ends) UnmarshalJSON(message []byte) error {
	*e = Ends{}
	return json.Unmarshal(message, &e.list)
}
