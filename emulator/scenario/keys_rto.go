package scenario

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// mostExponent bounds what an adaptive timeout's base is shifted by.
const mostExponent = 24

var rtoKeys = &object[profile.NIC]{
	what: "rto",
	doc:  "The retransmission timeout.",
	fields: []field[profile.NIC]{
		choiceField("mode", "measured", profile.RTONames,
			"Rule for the timeout: the larger of floor and factor x the RTT measured last; 4.096 us x "+
				"2^ack_timeout; NVIDIA's adaptive retransmission, from range to range; or IRN's two values.",
			func(n *profile.NIC, i int) { n.RTO.Mode = profile.RTOMode(i) }),
		durationField("floor", "4ms", "1us", "100s", "Least timeout. Only with mode measured.",
			func(n *profile.NIC) *unit.Duration { return &n.RTOFloor }),
		integerField("factor", "4", 1, 1000, "Multiple of the measured RTT. Only with mode measured.",
			func(n *profile.NIC) *int { return &n.RTOFactor }),
		durationField("initial", "16ms", "1us", "100s", "Timeout until the first sample. Only with mode measured.",
			func(n *profile.NIC) *unit.Duration { return &n.RTOInitial }),
		integerField("ack_timeout", "14", 0, 31,
			"The n of 4.096 us x 2^n: the timeout with mode fixed, the longest one with mode adaptive. 0 for none.",
			func(n *profile.NIC) *uint8 { return &n.RTO.AckTimeout }),
		integerField("retries", "0", 0, 1000,
			"Timeouts without progress that a QP survives; the next one ends it in error. With mode adaptive retries x "+
				"ack_timeout is the time that it survives. 0 for no bound.",
			func(n *profile.NIC) *int { return &n.RTO.Retries }),
		durationField("low", "100us", "1us", "100s",
			"Timeout while at most low_packets packets are in flight. Only with mode irn.",
			func(n *profile.NIC) *unit.Duration { return &n.RTO.Low }),
		durationField("high", "320us", "1us", "100s", "Timeout with more packets in flight. Only with mode irn.",
			func(n *profile.NIC) *unit.Duration { return &n.RTO.High }),
		integerField("low_packets", "3", 0, 1000, "low applies up to this number of packets in flight. Only with mode irn.",
			func(n *profile.NIC) *int { return &n.RTO.LowPackets }),
		durationField("base", "4us", "4us", "100s",
			"Unit of adaptive timeouts, a power of 2 in us. Only with mode adaptive.",
			func(n *profile.NIC) *unit.Duration { return &n.RTO.Base }),
		integerField("init_low", "9", 0, mostExponent,
			"Least exponent of the first adaptive timeout, base x 2^exponent, drawn for each QP. Only with mode "+
				"adaptive.",
			func(n *profile.NIC) *int { return &n.RTO.InitLow }),
		integerField("init_size", "1", 1, mostExponent,
			"Number of exponents to draw from, init_low the least. Only with mode adaptive.",
			func(n *profile.NIC) *int { return &n.RTO.InitSize }),
		rangesField,
	},
	check: checkRTO,
}

// rangesField reads ranges in place of the present ones.
var rangesField = func() field[profile.NIC] {
	list := listField("ranges", "Ranges of adaptive timeouts, sorted by low, at most 4. Default one, of low 9 and size 3."+
		" Only with mode adaptive.", rangeKeys,
		func(*node) profile.TimeoutRange { return profile.TimeoutRange{Retries: 1} },
		func(n *profile.NIC) *[]profile.TimeoutRange { return &n.RTO.Ranges })
	read := list.read
	list.read = func(r *reader, n *node, settings *profile.NIC) {
		settings.RTO.Ranges = nil
		read(r, n, settings)
	}
	return list
}()

var rangeKeys = &object[profile.TimeoutRange]{
	what: "range",
	doc:  "A range of adaptive timeouts, base x 2^low to base x 2^(low+size).",
	fields: []field[profile.TimeoutRange]{
		integerField("low", "", 0, mostExponent, "Exponent of the least timeout.",
			func(t *profile.TimeoutRange) *int { return &t.Low }).needed(),
		integerField("size", "0", 0, mostExponent, "How often the timeout doubles.",
			func(t *profile.TimeoutRange) *int { return &t.Size }),
		integerField("retries", "1", 1, 255, "How often a timeout is used before it doubles.",
			func(t *profile.TimeoutRange) *int { return &t.Retries }),
		choiceField("decrease", "low", profile.DecreaseNames,
			"Timeout after progress: the range's least, or a half or a fourth of the one before.",
			func(t *profile.TimeoutRange, i int) { t.Decrease = profile.Decrease(i) }),
	},
}

// modesOf are the modes in which a key of a timeout has a meaning.
var modesOf = []struct {
	key   string
	modes []profile.RTOMode
}{
	{"floor", []profile.RTOMode{profile.RTOMeasured}},
	{"factor", []profile.RTOMode{profile.RTOMeasured}},
	{"initial", []profile.RTOMode{profile.RTOMeasured}},
	{"ack_timeout", []profile.RTOMode{profile.RTOFixed, profile.RTOAdaptive}},
	{"low", []profile.RTOMode{profile.RTOIRN}},
	{"high", []profile.RTOMode{profile.RTOIRN}},
	{"low_packets", []profile.RTOMode{profile.RTOIRN}},
	{"base", []profile.RTOMode{profile.RTOAdaptive}},
	{"init_low", []profile.RTOMode{profile.RTOAdaptive}},
	{"init_size", []profile.RTOMode{profile.RTOAdaptive}},
	{"ranges", []profile.RTOMode{profile.RTOAdaptive}},
}

// checkRTO checks the combinations of keys.
func checkRTO(r *reader, n *node, settings *profile.NIC) {
	rto := &settings.RTO
	for _, known := range modesOf {
		if n.Child(known.key) == nil || slices.Contains(known.modes, rto.Mode) {
			continue
		}
		var allowed []string
		for _, mode := range known.modes {
			allowed = append(allowed, profile.RTONames[mode])
		}
		r.add(n.Where(known.key), "%s has no meaning with mode %s: it belongs to mode "+
			"%s", known.key, profile.RTONames[rto.Mode],
			strings.Join(allowed, " and "))
	}
	switch rto.Mode {
	case profile.RTOFixed:
		if rto.AckTimeout == 0 {
			r.add(n.Where("ack_timeout"), "ack_timeout is 0, which never runs out: with mode fixed allowed is 1 to 31")
		}
	case profile.RTOIRN:
		if rto.Low > rto.High {
			r.add(n.Where("low"), "low is %v, above high, %v", rto.Low, rto.High)
		}
	case profile.RTOAdaptive:
		checkAdaptive(r, n, rto)
	}
}

func checkAdaptive(r *reader, n *node, rto *profile.RTO) {
	if us := uint64(rto.Base / unit.Microsecond); rto.Base%unit.Microsecond != 0 || bits.OnesCount64(us) != 1 {
		r.add(n.Where("base"), "base is %v: allowed are powers of 2 in us from 4us on", rto.Base)
	}
	if len(rto.Ranges) > profile.MostRanges {
		r.add(n.Where("ranges"), "there are %d ranges: allowed are up to %d", len(rto.Ranges), profile.MostRanges)
	}
	last := 0
	for i, span := range rto.Ranges {
		if i > 0 && span.Low <= rto.Ranges[i-1].Low {
			r.add(n.Where("ranges"), "range %d begins at exponent %d: allowed is above %d, where the one before begins", i+1,
				span.Low, rto.Ranges[i-1].Low)
		}
		last = max(last, span.Low+span.Size)
	}
	if last = max(last, rto.InitLow+rto.InitSize-1); last > mostExponent {
		r.add(n.Where("ranges"), "a timeout is base x 2^%d: allowed are exponents up to %d", last, mostExponent)
	}
	if rto.Retries > 0 && rto.AckTimeout == 0 {
		r.add(n.Where("retries"), "retries bounds the time by ack_timeout, which is 0, without end: allowed is 1 to 31")
	}
}
