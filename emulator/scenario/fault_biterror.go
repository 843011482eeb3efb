package scenario

// bitErrorEffect loses frames by chance, the longer ones more often.
var bitErrorEffect = linkEffect{
	key:      "ber",
	directed: true,
	keys: []field[faultDraft]{
		numberField("ber", "0", 0, 1, false, "Bit error ratio: probability that a bit is wrong, in both "+
			"directions unless toward names one. A frame with a wrong bit is lost, so long frames are lost more "+
			"often. A later fault of the same link replaces an earlier one.",
			func(f *faultDraft) *float64 { return &effectOf[bitErrorDraft](f).ratio }),
	},
	fresh: func() any { return new(bitErrorDraft) },
	apply: func(b *builder, link int, f *faultDraft) {
		l := &b.plan.Links[link]
		l.BER, l.BERWay = effectOf[bitErrorDraft](f).ratio, wayToward(b, link, f)
	},
}

// bitErrorDraft is the key of bit errors.
type bitErrorDraft struct{ ratio float64 }
