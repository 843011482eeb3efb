package scenario

import (
	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// grayDraft selects the frames of a loss: the frames of some flows, or long ones.
type grayDraft struct {
	buckets []uint32
	of      int
	longer  unit.Bytes
}

// frames returns the frames, nil for all.
func (d *grayDraft) frames() *fabric.Gray {
	if d.longer > 0 {
		return &fabric.Gray{Longer: d.longer}
	}
	if len(d.buckets) > 0 && d.of > 0 {
		return &fabric.Gray{Buckets: d.buckets, Of: uint32(d.of)}
	}
	return nil
}

// maxBuckets is the largest number of buckets.
const maxBuckets = 1 << 16

var grayKeys = &object[grayDraft]{
	what: "of",
	doc:  "The frames of some flows, or long frames.",
	fields: []field[grayDraft]{
		{
			key: "buckets",
			doc: "The affected flows: their hash (addresses and ports), modulo of, is in the list. The ACKs of a " +
				"flow have a different hash from its data.",
			schema: func(*outline) schema {
				return schema{"type": "array", "minItems": 1,
					"items": schema{"type": "integer", "minimum": 0, "maximum": maxBuckets - 1}}
			},
			read: readBuckets,
		},
		integerField("of", "", 1, maxBuckets, "Number of buckets.",
			func(d *grayDraft) *int { return &d.of }),
		sizeField("longer", "", "1B", "10KB", "Frames that are longer, in bytes without FCS, preamble and gap.",
			func(d *grayDraft) *unit.Bytes { return &d.longer }),
	},
	check: func(r *reader, n *node, d *grayDraft) {
		has := func(key string) bool { return n.Child(key) != nil }
		switch {
		case has("longer") == (has("buckets") || has("of")):
			r.add(n.At, "of needs exactly one selection of frames: allowed are buckets and of, or longer")
		case has("buckets") != has("of"):
			r.add(n.At, "buckets and of belong together: write the list of buckets, and their total number")
		}
		for i, b := range d.buckets {
			if d.of > 0 && int(b) >= d.of {
				r.add(n.Child("buckets").Items[i].At, "bucket %d of %d: allowed are 0 to %d", b, d.of, d.of-1)
				return
			}
		}
	},
}

func readBuckets(r *reader, n *node, d *grayDraft) {
	if n.Kind != document.Sequence || len(n.Items) == 0 {
		r.add(n.At, "buckets is %s: it must be a list of buckets such as [3, 7]", document.KindNames[n.Kind])
		return
	}
	for _, item := range n.Items {
		bucket, ok := r.integer(item, "bucket", 0, maxBuckets-1)
		if !ok {
			d.buckets = nil
			return
		}
		d.buckets = append(d.buckets, uint32(bucket))
	}
}
