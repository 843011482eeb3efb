package scenario

import "github.com/rocelab/rocelab/emulator/fabric"

// lossEffect loses frames by chance, whatever their length.
var lossEffect = linkEffect{
	key:      "loss",
	directed: true,
	keys: []field[faultDraft]{
		numberField("loss", "0", 0, 1, false, "Probability with which a frame is lost, in each direction unless "+
			"toward says one. A later fault of the same link takes an earlier one's place.",
			func(f *faultDraft) *float64 { return &effectOf[lossDraft](f).probability }),
		choiceField("frames", "all", fabric.FramesNames, "Which frames may be lost: all, pauses among them; data, the "+
			"packets of messages; acks, acknowledgements, NAKs among them. An outage loses all.",
			func(f *faultDraft, i int) { effectOf[lossDraft](f).frames = fabric.Frames(i) }),
		objectField("of", "Narrows loss to some flows, or to long frames: a gray failure, which no one detects. Default all.",
			grayKeys, func(f *faultDraft) *grayDraft { return &effectOf[lossDraft](f).gray }),
	},
	fresh: func() any { return new(lossDraft) },
	check: func(r *reader, n *node, f *faultDraft) {
		for _, key := range []string{"frames", "of"} {
			if f.has(key) && !f.has("loss") {
				r.add(n.Where(key), "%s without loss: write the probability with which frames are lost", key)
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
