package scenario

import "github.com/rocelab/rocelab/emulator/fabric"

// lossEffect loses frames by chance, at any length.
var lossEffect = linkEffect{
	key:      "loss",
	directed: true,
	keys: []field[faultDraft]{
		numberField("loss", "0", 0, 1, false, "Probability that a frame is lost, in both directions unless toward "+
			"names one. A later fault of the same link replaces an earlier one.",
			func(f *faultDraft) *float64 { return &effectOf[lossDraft](f).probability }),
		choiceField("frames", "all", fabric.FramesNames, "Frames that may be lost: all, including pauses; data, "+
			"the packets of messages; acks, acknowledgements including NAKs. An outage loses all.",
			func(f *faultDraft, i int) { effectOf[lossDraft](f).frames = fabric.Frames(i) }),
		objectField("of", "Limits loss to some flows, or to long frames: a gray failure, which is not detected. "+
			"Default all.",
			grayKeys, func(f *faultDraft) *grayDraft { return &effectOf[lossDraft](f).gray }),
	},
	fresh: func() any { return new(lossDraft) },
	check: func(r *reader, n *node, f *faultDraft) {
		for _, key := range []string{"frames", "of"} {
			if f.has(key) && !f.has("loss") {
				r.add(n.Where(key), "%s without loss: write the probability that a frame is lost", key)
			}
		}
	},
	apply: func(b *builder, link int, f *faultDraft) {
		draft, l := effectOf[lossDraft](f), &b.plan.Links[link]
		l.Loss, l.LossOf, l.LossIn = draft.probability, draft.frames, draft.gray.frames()
		l.LossWay = wayToward(b, link, f)
	},
}

// lossDraft is the keys of losses by chance.
type lossDraft struct {
	probability float64
	frames      fabric.Frames
	gray        grayDraft
}
