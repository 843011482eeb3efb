package record

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"slices"
)

// byClass has a record for each class, or egress queue, that a port uses: for most ports one or two. The zero value has
// none.
type byClass[T any] struct {
	// Used are those with a record, as bits.
	Used uint8
	// List has their records, in ascending order. Pointers to them stay valid when others are added.
	List []*T
}

// Classes has the records of a port's classes.
type Classes = byClass[Class]

// place is the place of an index in the list, whether it has a record or not.
func (b byClass[T]) place(index uint8) int { return bits.OnesCount8(b.Used & (1<<(index&7) - 1)) }

// Of returns the record of an index, which is made at first use. Range of index: below profile.Classes.
func (b *byClass[T]) Of(index uint8) *T {
	if b.Used>>(index&7)&1 == 0 {
		b.Put(index, new(T))
	}
	return b.List[b.place(index)]
}

// At returns the record of an index, to be read; of one without a record it is empty and not kept.
func (b byClass[T]) At(index int) *T {
	if b.Used>>(index&7)&1 == 0 {
		return new(T)
	}
	return b.List[b.place(uint8(index))]
}

// Put adds the record of an index that has none.
func (b *byClass[T]) Put(index uint8, record *T) {
	list := make([]*T, 0, len(b.List)+1) // there is one for each of many thousand ports
	at := b.place(index)
	b.List = append(append(append(list, b.List[:at]...), record), b.List[at:]...)
	b.Used |= 1 << (index & 7)
}

// All yields the records there are, in ascending order.
func (b byClass[T]) All() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i, rest := 0, b.Used; rest != 0; i, rest = i+1, rest&(rest-1) {
			if !yield(bits.TrailingZeros8(rest), b.List[i]) {
				return
			}
		}
	}
}

// Clone returns a copy, with copies of all records, whose parts behind pointers are shared.
func (b byClass[T]) Clone() byClass[T] {
	records, list := make([]T, len(b.List)), make([]*T, len(b.List))
	for i := range list {
		records[i] = *b.List[i]
		list[i] = &records[i]
	}
	return byClass[T]{Used: b.Used, List: list}
}

// String has the records by their indices, for messages.
func (b byClass[T]) String() string {
	byIndex := make(map[int]T, len(b.List))
	for index, record := range b.All() {
		byIndex[index] = *record
	}
	return fmt.Sprintf("%+v", byIndex)
}

// Check reports whether the list cannot be that of the indices in use.
func (b byClass[T]) Check() error {
	if n := bits.OnesCount8(b.Used); n != len(b.List) {
		return fmt.Errorf("%d records of classes or queues, %d are in use", len(b.List), n)
	}
	if slices.Contains(b.List, nil) {
		return errors.New("a record of a class or queue in use is missing")
	}
	return nil
}

// Clone returns a copy with its own counts of drops and records of classes and queues; series and other parts behind
// pointers are shared.
func (p *Port) Clone() Port {
	clone := *p
	clone.Drops, clone.Classes, clone.Queues = maps.Clone(p.Drops), p.Classes.Clone(), p.Queues.Clone()
	return clone
}
