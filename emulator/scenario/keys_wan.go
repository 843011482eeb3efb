package scenario

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// wanDraft is a long-haul path as written.
type wanDraft struct {
	node *node // nil for a link that is none
	name string
	wanState
	wavelengths    int
	wavelengthRate unit.BitRate
	perKilometre   unit.Duration
	timeline       []wanEventDraft
}

// wanState is the state that a timeline can change.
type wanState struct {
	length, back      unit.Length
	equipment, jitter unit.Duration
	loss              float64
	burst             profile.WANLoss
}

// wanEventDraft is an entry of a path's timeline.
type wanEventDraft struct {
	node *node
	at   unit.Time
	flap unit.Duration
	wanState
}

func newWANDraft() wanDraft { return wanDraft{wavelengths: 1, perKilometre: defaultPerKilometre} }

// defaultPerKilometre is 5 ns/m, a refractive index of 1.499. The group index of
// standard single-mode fibre at 1550 nm is 1.468 (ITU-T G.652 fibres), 4.897 ns/m;
// the rest is slack and what makes a cable longer than its route.
const defaultPerKilometre = 5 * unit.Microsecond

const (
	// Half the equator is the most.
	noLength, minLength, maxLength = "0km", "1m", "20000km"
	// Light in vacuum needs 3.336 us/km.
	minPerKilometre, maxPerKilometre = "3.335641us", "10us"
)

var wanKeys = &object[wanDraft]{
	what: "long-haul path",
	doc: "A long-haul path in place of a link's latency: a wire with losses and a timeline. It is a node of its " +
		"own, which neither routes nor hops count; a direction is forward from the link's first end to its " +
		"second.",
	fields: append([]field[wanDraft]{
		nameField("name", "Name of its node. Default wan0, wan1 and so on, in the order of the links.",
			func(w *wanDraft) *string { return &w.name }),
		durationField("delay_per_km", "5us", minPerKilometre, maxPerKilometre,
			"Propagation delay of a kilometre of fibre, the group index / c: 4.897us for the index of 1.468 of "+
				"standard single-mode fibre; the default is the usual 5 ns/m.",
			func(w *wanDraft) *unit.Duration { return &w.perKilometre }),
		integerField("wavelengths", "1", 1, 1000,
			"Number of wavelengths of wavelength_rate each, which form one channel: frames are not hashed to "+
				"single wavelengths.",
			func(w *wanDraft) *int { return &w.wavelengths }),
		rateField("wavelength_rate", "", minRate, maxRate, "Rate of one wavelength, in place of the link's rate.",
			func(w *wanDraft) *unit.BitRate { return &w.wavelengthRate }),
		listField("timeline", "Changes of the path: entries in the order of time.", wanEventKeys,
			func(n *node) wanEventDraft { return wanEventDraft{node: n} },
			func(w *wanDraft) *[]wanEventDraft { return &w.timeline }),
	}, wanStateFields(func(w *wanDraft) *wanState { return &w.wanState }, true)...),
	check: checkWAN,
}

var wanEventKeys = &object[wanEventDraft]{
	what: "timeline entry",
	doc:  "A change of a long-haul path; keys that it does not name keep their values.",
	fields: append([]field[wanEventDraft]{
		instantField("at", "", "1ps", "1000s", "Time of the change; it applies to frames that leave the near port "+
			"from then on.",
			func(e *wanEventDraft) *unit.Time { return &e.at }).needed(),
		durationField("flap", "", "1ps", "1000s",
			"Time without light. A frame is lost if any bit of it is on the path in that time, including frames "+
				"in transit when it begins; the ports at the ends stay up.",
			func(e *wanEventDraft) *unit.Duration { return &e.flap }),
	}, wanStateFields(func(e *wanEventDraft) *wanState { return &e.wanState }, false)...),
	check: func(r *reader, n *node, event *wanEventDraft) {
		if len(n.Entries) < 2 && n.Child("at") != nil {
			r.add(n.At, "timeline entry does nothing: allowed are %s",
				"flap, length, backward_length, equipment, jitter, loss, burst_loss")
		}
		checkOneLoss(r, n)
	},
}

// wanStateFields are the keys of a state; a path needs some of them, an entry of
// a timeline none.
func wanStateFields[T any](at func(*T) *wanState, path bool) []field[T] {
	length := lengthField("length", "", minLength, maxLength,
		"Length of the fibre, in both directions unless backward_length is given.",
		func(t *T) *unit.Length { return &at(t).length })
	length.required = path
	zero := ""
	if path {
		zero = "0"
	}
	return []field[T]{
		length,
		lengthField("backward_length", "", minLength, maxLength,
			"Length of the opposite direction, if it differs. Default length.",
			func(t *T) *unit.Length { return &at(t).back }),
		durationField("equipment", withSuffix(zero, "s"), "0s", "100ms",
			"Delay that the equipment at both ends adds in each direction.",
			func(t *T) *unit.Duration { return &at(t).equipment }),
		durationField("jitter", withSuffix(zero, "s"), "0s", "100ms",
			"Largest random delay of a frame: each draws a delay, uniform from 0 to this, and waits for the "+
				"frames before it.",
			func(t *T) *unit.Duration { return &at(t).jitter }),
		numberField("loss", zero, 0, 1, false,
			"Probability that a frame is lost, independent of the frames before it.",
			func(t *T) *float64 { return &at(t).loss }),
		objectField("burst_loss", "Losses in bursts, in place of loss.", burstKeys,
			func(t *T) *profile.WANLoss { return &at(t).burst }),
	}
}

func withSuffix(text, suffix string) string {
	if text == "" {
		return ""
	}
	return text + suffix
}

var burstKeys = &object[profile.WANLoss]{
	what: "burst_loss",
	doc: "The channel of Gilbert and Elliott: a good and a bad state; each ends after a frame with a given " +
		"probability. Mean loss: bad x enter / (enter + leave) + good x leave / (enter + leave); a bad state " +
		"lasts 1 / leave frames.",
	fields: []field[profile.WANLoss]{
		numberField("enter", "", 0, 1, true, "Probability that a frame is the last one of the good state.",
			func(l *profile.WANLoss) *float64 { return &l.Enter }).needed(),
		numberField("leave", "", 0, 1, true, "Probability that a frame is the last one of the bad state.",
			func(l *profile.WANLoss) *float64 { return &l.Leave }).needed(),
		numberField("bad", "1", 0, 1, false, "Probability of loss in the bad state.",
			func(l *profile.WANLoss) *float64 { return &l.Bad }),
		numberField("good", "0", 0, 1, false, "Probability of loss in the good state.",
			func(l *profile.WANLoss) *float64 { return &l.Good }),
	},
	check: func(_ *reader, n *node, l *profile.WANLoss) {
		if n.Child("bad") == nil {
			l.Bad = 1
		}
	},
}

// checkOneLoss refuses two models of loss at once.
func checkOneLoss(r *reader, n *node) {
	if n.Child("loss") != nil && n.Child("burst_loss") != nil {
		r.add(n.Where("burst_loss"),
			"burst_loss and loss: use only one of the two; burst_loss has its own loss in the good state, good")
	}
}

func checkWAN(r *reader, n *node, draft *wanDraft) {
	draft.node = n
	checkOneLoss(r, n)
	if n.Child("wavelengths") != nil && n.Child("wavelength_rate") == nil {
		r.add(n.Where("wavelengths"), "wavelengths without wavelength_rate: write the rate of one")
	}
	if most := rates.parseBound("wavelength_rate", maxRate); draft.wavelengthRate > most/unit.BitRate(draft.wavelengths) {
		r.add(n.Where("wavelengths"), "%d wavelengths of %v: allowed are up to %s together",
			draft.wavelengths, draft.wavelengthRate, maxRate)
	}
	last, lit := unit.Time(0), unit.Time(0)
	for i := range draft.timeline {
		event := &draft.timeline[i]
		if event.at == 0 {
			r.requireReported(event.node)
			continue
		}
		switch {
		case event.at <= last:
			r.add(event.node.Where("at"), "at is %v, the entry before it %v: a timeline must be in the order of time",
				event.at, last)
		case event.flap > 0 && lit > 0 && event.at <= lit:
			r.add(event.node.Where("at"), "at is %v, within the flap until %v: flaps of a path must not touch", event.at, lit)
		}
		last = max(last, event.at)
		if event.flap > 0 {
			lit = event.at.Add(event.flap)
		}
	}
}

// rate returns the rate of the path, its link's if it has none.
func (w *wanDraft) rate(link unit.BitRate) unit.BitRate {
	if w.wavelengthRate > 0 {
		return w.wavelengthRate * unit.BitRate(w.wavelengths)
	}
	return link
}

// refuseBesideWAN refuses what a link cannot have beside a long-haul path; the
// keys name the link's rate and latency.
func refuseBesideWAN(r *reader, n *node, draft *wanDraft, rate string, latencies ...string) {
	if draft.node == nil {
		return
	}
	for _, latency := range latencies {
		if n.Child(latency) != nil {
			r.add(n.Where(latency),
				"%s with a long-haul path: its latency follows from its own length, leave %s out",
				latency, latency)
		}
	}
	if n.Child(rate) != nil && draft.wavelengthRate > 0 {
		r.add(n.Where(rate), "%s with wavelength_rate: use only one of the two", rate)
	}
}
