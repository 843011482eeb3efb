package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
)

// bleachEffect clears the ECN bits of packets, as a device does that rewrites the whole TOS byte.
var bleachEffect = linkEffect{
	key:      "bleach",
	directed: true,
	keys: []field[faultDraft]{
		switchField("bleach", "false", "The ECN bits of packets on the link are cleared: marks are lost, and later "+
			"switches drop packets of lossy classes instead of marking them.",
			func(f *faultDraft) *bool { return &effectOf[bleachDraft](f).on }),
	},
	fresh: func() any { return new(bleachDraft) },
	apply: func(b *builder, number int, f *faultDraft) {
		if l := &b.plan.Links[number]; effectOf[bleachDraft](f).on {
			l.Harms = append(l.Harms, fabric.Harm{Kind: link.Bleach, Way: wayToward(b, number, f)})
		}
	},
}

// bleachDraft is the key of a link that clears ECN bits.
type bleachDraft struct{ on bool }
