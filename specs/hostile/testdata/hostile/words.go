package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
)

// descriptions are descriptions that a host must not take as they are.
var descriptions = map[string]func(*cc.Description){
	"huge":     func(d *cc.Description) { d.Summary = strings.Repeat("word ", 64<<20/5) },
	"nameless": func(d *cc.Description) { d.Name = "" },
	"long":     func(d *cc.Description) { d.Name = strings.Repeat("x", 5000) },
	"escapes":  func(d *cc.Description) { d.Name = "\x1b]0;owned\a\x1b[2Jdcqcn" },
	"prose":    func(d *cc.Description) { d.Summary, d.Version = "\x1b[2J\x1b[1;1HPASS", "\u009b2J" },
	"many": func(d *cc.Description) {
		for i := range 2000 {
			d.Params = append(d.Params, cc.Param{Name: fmt.Sprint("p", i), Kind: cc.KindSwitch, Default: "true"})
		}
	},
	"twice": func(d *cc.Description) {
		d.Params = []cc.Param{{Name: "gain", Kind: cc.KindSwitch}, {Name: "gain", Kind: cc.KindNumber}}
	},
	"kind": func(d *cc.Description) { d.Params = []cc.Param{{Name: "gain", Kind: 99}} },
	"default": func(d *cc.Description) {
		d.Params = []cc.Param{{
			Name:    "gain",
			Kind:    cc.KindRate,
			Default: "fast",
			Min:     "0bps",
			Max:     cc.MostRate.String(),
		}}
	},
	// bounds is a program of before parameters had to have them.
	"bounds": func(d *cc.Description) {
		d.Params = []cc.Param{{Name: "gain", Kind: cc.KindRate, Default: "1Gbps", Min: "1bps"}}
	},
}

// signals are signals that NICs cannot give.
var signals = map[string]func(*cc.Signals){
	"huge":     func(s *cc.Signals) { s.OwnData = 1 << 30 },
	"negative": func(s *cc.Signals) { s.OwnAck = -1 },
	"interval": func(s *cc.Signals) { s.CNPInterval = math.MinInt64 },
	"all":      func(s *cc.Signals) { s.OneWayDelay, s.Timestamp, s.INT = true, true, true },
}

// answers are decisions that no NIC can carry out.
var answers = map[string]func(*cc.Decision){
	"negative": func(d *cc.Decision) { d.Rate = -5 },
	"least":    func(d *cc.Decision) { d.Rate = math.MinInt64 },
	"window":   func(d *cc.Decision) { d.Window = -1 },
	"gap":      func(d *cc.Decision) { d.Gap = math.MinInt64 },
	"bytes":    func(d *cc.Decision) { d.WakeBytes = math.MinInt64 },
}
