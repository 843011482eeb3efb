package scenario

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A threshold in bdp is a length of a queue in bandwidth-delay products of its port: the port's rate times a base RTT.
// For the queues of a switch that RTT is the longest of any flow of the run on an empty fabric, with a full packet and
// its ACK without the extensions of algorithms, so that variants have the same thresholds; for a DCI port's queues it
// is the RTT of its long-haul path. A plan has bytes only.

// threshold is a length of a queue as written.
type threshold struct {
	// bdp holds where in is set; otherwise the bytes of the profile do.
	bdp unit.BDP
	in  bool
	at  position
}

// mostBDP bounds a threshold in bdp.
const mostBDP unit.BDP = 1000e6

// marking is a class's marking profile in bdp. A rtt above 0 takes the place of the run's.
type marking struct {
	kmin, kmax threshold
	rtt        unit.Duration
}

// relative is a switch's settings in bdp, to be computed once the flows and long-haul paths are known.
type relative struct {
	ecn                         [profile.Classes]marking
	dciBuffer, dciKmin, dciKmax threshold
}

// thresholdField reads a size, or a number of bdp, which it keeps at words.
func thresholdField[T any](key, def, lo, hi, doc string, at func(*T) *unit.Bytes,
	words func(*reader, *T) *threshold) field[T] {
	sizes := sizes
	sizes.also = "; or " + unit.BDPs.Example() + ", in bandwidth-delay products of the port"
	size := sizes.boundedReader(key, lo, hi)
	return field[T]{
		key: key,
		def: def,
		doc: doc + " Range " + lo + " to " + hi + ", or 0bdp to " + mostBDP.String() + ".",
		schema: func(s *outline) schema {
			return s.define("threshold", func() schema {
				want := "must be a size with a unit, such as " + unit.Sizes.Example() +
					", or a number of bdp, such as " + unit.BDPs.Example()
				return byType("number",
					schema{"const": 0, "errorMessage": want},
					schema{
						"type":                "string",
						"pattern":             "(?:" + unit.Sizes.Pattern() + ")|(?:" + unit.BDPs.Pattern() + ")",
						"errorMessage":        want,
						"patternErrorMessage": want + "; units are " + strings.Join(unit.Sizes.Units(), ", ") + ", bdp",
						"examples":            []string{unit.Sizes.Example(), unit.BDPs.Example()},
					})
			})
		},
		read: func(r *reader, n *node, t *T) {
			if n.Kind != document.Scalar || !strings.HasSuffix(strings.ToLower(strings.TrimSpace(n.Text)), "bdp") {
				if v, ok := size(r, n); ok {
					*at(t), *words(r, t) = v, threshold{}
				}
				return
			}
			v, err := unit.ParseBDP(shorten(n.Text))
			if err != nil {
				r.add(n.At, "%s: %s", key, err)
				return
			}
			if v > mostBDP {
				r.add(n.At, "%s is %s: allowed is 0bdp to %v", key, n.Text, mostBDP)
				return
			}
			*words(r, t) = threshold{bdp: v, in: true, at: n.At}
		},
	}
}

// bytes works a threshold out; it refuses more than a switch can have.
func (t *threshold) bytes(b *builder, key string, rate unit.BitRate, rtt unit.Duration) unit.Bytes {
	v := t.bdp.Bytes(rate, rtt)
	if most := 1000 * unit.GB; v < 0 || v > most {
		b.add(t.at, "%s is %v, which is %v at %v and a base RTT of %v: allowed is up to %v",
			key, t.bdp, v, rate, rtt, most)
		return 0
	}
	return v
}

var thresholdPass = pass{
	name:  "thresholds in bdp",
	after: []*pass{&flowPass, &dciThresholds},
	run:   resolveThresholds,
}

// resolveThresholds computes the thresholds in bdp, at the rate for which the bytes of a marking profile hold. If a
// profile applies to every port as it is, both thresholds must be in bdp, for those follow the port.
func resolveThresholds(b *builder) {
	longest, asked := unit.Duration(0), false
	for i := range b.relative {
		sw := &b.plan.Switches[i]
		for class := range b.relative[i].ecn {
			m, wred := &b.relative[i].ecn[class], &sw.Profile.ECN[class]
			if !m.kmin.in && !m.kmax.in || !wred.Enabled {
				continue
			}
			if !asked {
				longest, asked = LongestBaseRTT(b.plan), true
			}
			b.resolveMarking(m, wred, longest)
		}
		b.resolvePorts(i, longest)
	}
}

// resolvePorts computes the thresholds in bdp for the ports with settings of their own. A setting that such a port has
// from its switch was computed, or refused, there.
func (b *builder) resolvePorts(i int, longest unit.Duration) {
	sw := &b.plan.Switches[i].Profile
	for _, own := range b.ownPorts[i] {
		at := *sw.OfPort(own.number)
		for class := range at.ECN {
			m, wred := own.relative.ecn[class], &at.ECN[class]
			if !m.kmin.in && !m.kmax.in || !wred.Enabled {
				continue
			}
			if usual := &sw.ECN[class]; m == b.relative[i].ecn[class] && usual.Enabled && usual.BaseRTT > 0 {
				wred.Kmin, wred.Kmax, wred.ScaleRate, wred.BaseRTT = usual.Kmin, usual.Kmax, usual.ScaleRate, usual.BaseRTT
				continue
			}
			if longest == 0 {
				longest = LongestBaseRTT(b.plan)
			}
			b.resolveMarking(&m, wred, longest)
		}
		sw.SetPort(own.number, &at)
	}
}

func (b *builder) resolveMarking(m *marking, wred *profile.WRED, rtt unit.Duration) {
	at := m.kmin.at
	if !m.kmin.in {
		at = m.kmax.at
	}
	if m.rtt > 0 {
		rtt = m.rtt
	}
	if rtt == 0 {
		b.add(at, "a threshold in bdp needs a base RTT, and no flow has a path: write rtt beside it, or a size")
		return
	}
	if wred.ScaleRate == 0 {
		if m.kmin.in != m.kmax.in {
			b.add(at, "kmin and kmax are one in bdp and one a size, with scale_rate: 0bps: "+
				"allowed is both in bdp, or both a size, or a scale_rate")
			return
		}
		wred.ScaleRate = profile.DefaultSwitch().ECN[0].ScaleRate
	}
	wred.BaseRTT = rtt
	if m.kmin.in {
		wred.Kmin = m.kmin.bytes(b, "kmin", wred.ScaleRate, rtt)
	}
	if m.kmax.in {
		wred.Kmax = m.kmax.bytes(b, "kmax", wred.ScaleRate, rtt)
	}
	if !profile.Ordered(wred.Kmin, wred.Kmax) {
		b.add(at, "%v", profile.Misordered(m.kmin.text(wred.Kmin), m.kmax.text(wred.Kmax),
			fmt.Sprintf(", at %v and a base RTT of %v", wred.ScaleRate, rtt)))
	}
}

// text is a threshold as written, and in bytes.
func (t *threshold) text(bytes unit.Bytes) string {
	if t.in {
		return fmt.Sprintf("%v (%v)", t.bdp, bytes)
	}
	return bytes.String()
}

var dciThresholds = pass{
	name:  "thresholds of DCI ports",
	after: []*pass{&switchPass, &nicPass},
	run:   resolveDCI,
}

// resolveDCI computes the settings in bdp of DCI ports. A switch has one number for all of them, so their paths must
// agree.
func resolveDCI(b *builder) {
	first := map[int]*plan.DCIPort{}
	for port := range b.plan.DCIPorts {
		rel, dci := &b.relative[port.Switch], &b.plan.Switches[port.Switch].Profile.DCI
		rtt, rate := port.Attachment.RoundTrip(), port.Attachment.Tx.Rate
		for _, w := range []struct {
			key     string
			written *threshold
			bytes   *unit.Bytes
		}{
			{"dci.buffer", &rel.dciBuffer, &dci.Buffer},
			{"dci.ecn.kmin", &rel.dciKmin, &dci.ECN.Kmin},
			{"dci.ecn.kmax", &rel.dciKmax, &dci.ECN.Kmax},
		} {
			if !w.written.in {
				continue
			}
			was := first[port.Switch]
			if was != nil && (was.Attachment.RoundTrip() != rtt || was.Attachment.Tx.Rate != rate) {
				b.add(w.written.at, "%s is %v, and the DCI ports of %s differ: %v with an RTT of %v, and %v with %v: "+
					"allowed is a size, or a switch with ports of one kind", w.key, w.written.bdp,
					b.plan.Switches[port.Switch].Name, was.Attachment.Tx.Rate, was.Attachment.RoundTrip(), rate, rtt)
				return
			}
			*w.bytes = w.written.bytes(b, w.key, rate, rtt)
		}
		if first[port.Switch] == nil {
			first[port.Switch] = port
		}
	}
	for i := range b.relative {
		rel := &b.relative[i]
		for _, t := range []*threshold{&rel.dciBuffer, &rel.dciKmin, &rel.dciKmax} {
			if t.in && first[i] == nil && !b.anyDCI() {
				b.add(t.at, "%v, and no port leads over a long-haul path: a threshold of DCI ports in bdp needs one", t.bdp)
				return
			}
		}
	}
}

// anyDCI reports whether the plan has a DCI port.
func (b *builder) anyDCI() bool {
	for range b.plan.DCIPorts {
		return true
	}
	return false
}

// LongestBaseRTT is the longest base RTT of the plan's flows, for a full packet and its
// ACK without extensions; 0 without flows that have a path.
func LongestBaseRTT(planned *plan.Plan) (longest unit.Duration) {
	packets := Extensions(nil).exchange(nil, planned.MTU)
	type pair struct{ src, dst int }
	seen := map[pair]bool{}
	for i := range planned.Flows {
		flow := &planned.Flows[i]
		if key := (pair{flow.Src, flow.Dst}); seen[key] || len(flow.Path) == 0 || len(flow.Back) == 0 {
			continue
		} else {
			seen[key] = true
		}
		longest = max(longest, packets.baseRTT(planned.Accounting, flow.Path, flow.Back))
	}
	return longest
}

// MarkingClass is the ports of switches, except DCI ports, that mark a class alike.
type MarkingClass struct {
	// Ports is their number; Example is one of them, "s0:3".
	Ports   int    `json:"ports"`
	Example string `json:"example"`
	// Class is the traffic class, Rate the port's.
	Class int          `json:"class"`
	Rate  unit.BitRate `json:"rate_bps"`
	// Kmin and Kmax are the thresholds there, Pmax the probability at Kmax.
	Kmin unit.Bytes `json:"kmin_bytes"`
	Kmax unit.Bytes `json:"kmax_bytes"`
	Pmax float64    `json:"pmax"`
	// BaseRTT is the base RTT of a threshold in bdp: the one written beside it, else the longest of any flow of the
	// run, without algorithms' extensions; 0 without flows. BDP is the volume that Rate carries in it.
	BaseRTT unit.Duration `json:"base_rtt_ps"`
	BDP     unit.Bytes    `json:"bdp_bytes"`
}

func markingClasses(planned *plan.Plan) []MarkingClass {
	longest := LongestBaseRTT(planned)
	places, list := map[MarkingClass]int{}, []MarkingClass{}
	for i := range planned.Switches {
		sw := &planned.Switches[i]
		node := planned.Node(planned.SwitchNode(i))
		for port := range sw.Links {
			a := planned.AttachmentAt(&node, port)
			settings := sw.Profile.OfPort(port)
			for class := range settings.ECN {
				wred := &settings.ECN[class]
				if a.DCI || !wred.Enabled {
					continue
				}
				one := MarkingClass{Class: class, Rate: a.Tx.Rate, Pmax: wred.Pmax, BaseRTT: longest}
				one.Kmin, one.Kmax = wred.At(a.Tx.Rate)
				if wred.BaseRTT > 0 {
					one.BaseRTT = wred.BaseRTT
				}
				one.BDP = one.Rate.BytesIn(one.BaseRTT)
				place, ok := places[one]
				if !ok {
					place = len(list)
					places[one] = place
					one.Example = fmt.Sprintf("%s:%d", sw.Name, port)
					list = append(list, one)
				}
				list[place].Ports++
			}
		}
	}
	return list
}
