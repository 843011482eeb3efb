package record

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var errShort = errors.New("record: histogram is cut short")

// MarshalBinary encodes the histogram for another process, exactly.
func (h *Histogram) MarshalBinary() ([]byte, error) {
	counted := spread{}
	if h.spread != nil {
		counted = *h.spread
	}
	data := make([]byte, 0, 48+2*len(counted.counts))
	data = binary.AppendUvarint(data, h.count)
	data = binary.AppendUvarint(data, math.Float64bits(h.Total()))
	data = binary.AppendVarint(data, int64(h.min))
	data = binary.AppendVarint(data, int64(h.Max()))
	data = binary.AppendUvarint(data, uint64(counted.from))
	data = binary.AppendUvarint(data, uint64(len(counted.counts)))
	for i := range counted.counts {
		data = binary.AppendUvarint(data, counted.at(i))
	}
	return data, nil
}

// UnmarshalBinary decodes what MarshalBinary made.
func (h *Histogram) UnmarshalBinary(data []byte) error {
	var err error
	next := func() uint64 {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			err = errShort
			return 0
		}
		data = data[n:]
		return v
	}
	signed := func() int64 { // zigzag, as binary.AppendVarint writes
		v := next()
		return int64(v>>1) ^ -int64(v&1)
	}
	var counted spread
	h.count, counted.sum = next(), math.Float64frombits(next())
	h.min, counted.max = unit.Duration(signed()), unit.Duration(signed())
	from, count := next(), next()
	if from > buckets || count > buckets-from {
		return errShort
	}
	h.spread = nil
	if count == 0 && counted.max == h.min && counted.sum == h.Total() {
		return err
	}
	counted.counts, counted.from = make([]uint32, count), int(from)
	h.spread = &counted
	for i := range h.spread.counts {
		h.spread.set(i, next())
	}
	return err
}
