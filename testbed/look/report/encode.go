package report

import (
	"encoding/base64"
	"encoding/binary"
	"math"
)

// gap is a bin without a value.
const gap = math.MinInt64

// encodeValues packs whole numbers for the page: each as one more than the zigzag of
// its difference to the one before, the first to 0, and 0 for a gap, as varints of
// seven bits, the lowest first, in base64. Its reader is decode.js. Numbers are within
// 2^50, as the page's are exact to 2^53.
func encodeValues(values []int64) string {
	var buffer []byte
	before := int64(0)
	for _, v := range values {
		if v == gap {
			buffer = append(buffer, 0)
			continue
		}
		delta := v - before
		before = v
		buffer = binary.AppendUvarint(buffer, uint64(delta<<1)^uint64(delta>>63)+1)
	}
	return base64.StdEncoding.EncodeToString(buffer)
}
