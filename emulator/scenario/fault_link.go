package scenario

import (
	"path"
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
)

// linkFault is a link that loses frames, is slow or is down. A fault may do several of these.
var linkFault = faultKind{
	name:  "link",
	told:  "link",
	least: "{link: a-b, loss: 0.1}",
	keys:  linkFaultKeys(),
	fresh: func() any {
		own := make([]any, len(linkEffects))
		for i, e := range linkEffects {
			own[i] = e.fresh()
		}
		return own
	},
	check: checkLinkFault,
	add:   addLinkFault,
}

// linkEffect is one thing that a fault does to its link. Each has its own file.
type linkEffect struct {
	// key is the key that asks for it, in messages too.
	key string
	// directed is set if it may be of one direction, which toward names.
	directed bool
	// keys are key and the keys beside it.
	keys []field[faultDraft]
	// fresh makes what its own keys are read into.
	fresh func() any
	// check is called once all keys are read, whether the fault has the effect or not, if it is not nil.
	check func(r *reader, n *node, f *faultDraft)
	// apply gives a link of the plan the effect.
	apply func(b *builder, link int, f *faultDraft)
	// haul gives a long-haul path the effect, in place of its link; nil for an effect that it has of its own keys.
	haul func(b *builder, path *plan.WAN, f *faultDraft)
}

// linkEffects are the effects, in the order in which messages list them.
var linkEffects = []*linkEffect{&lossEffect, &bitErrorEffect, &rateEffect, &outageEffect, &flapsEffect, &bleachEffect}

// linkFaultKeys returns the keys of all effects: first the keys of effects that may be of one direction, then toward,
// then the others'.
func linkFaultKeys() []field[faultDraft] {
	keys := []field[faultDraft]{faultyLink(namedLink).needed()}
	var others []field[faultDraft]
	for _, e := range linkEffects {
		if e.directed {
			keys = append(keys, e.keys...)
		} else {
			others = append(others, e.keys...)
		}
	}
	keys = append(keys, towardEnd(`The end of the link toward which frames are lost, or slow, such as `+
		`"h0", or a pattern such as "h*" that matches one end of each of the links. Default both.`))
	return append(keys, others...)
}

// effectOf returns what the keys of an effect were read into.
func effectOf[E any](f *faultDraft) *E {
	for _, own := range f.own.([]any) {
		if e, ok := own.(*E); ok {
			return e
		}
	}
	panic("a fault without its effect")
}

func checkLinkFault(r *reader, n *node, f *faultDraft) {
	var all, directed []string
	does, oneWay := false, false
	for _, e := range linkEffects {
		all = append(all, e.key)
		does = does || f.has(e.key)
		if e.directed {
			directed = append(directed, e.key)
			oneWay = oneWay || f.has(e.key)
		}
		if e.check != nil {
			e.check(r, n, f)
		}
	}
	if f.has("toward") && !oneWay {
		r.add(n.Where("toward"), "toward without %s: write the fault in that direction", orList(directed))
	}
	if !does && !f.has("up") {
		r.add(n.At, "fault does nothing: allowed is %s", orList(all))
	}
}

func addLinkFault(b *builder, fault *faultDraft) {
	eachLink(b, fault, func(i int) {
		b.plan.Links[i].Line = fault.at.Line
		path := longHaulOf(b, i)
		for _, e := range linkEffects {
			switch {
			case !fault.has(e.key):
			case path == nil:
				e.apply(b, i, fault)
			case e.haul != nil:
				e.haul(b, path, fault)
			default:
				b.add(fault.at, "%s does not apply to link %s, a long-haul path: allowed are down and flaps; write losses "+
					"there, in loss, burst_loss and timeline", e.key, b.graph.LinkName(i))
				return
			}
		}
	})
}

// eachLink calls for each link that a fault names.
func eachLink(b *builder, fault *faultDraft, do func(link int)) {
	if fault.link == "" {
		b.requireReported(fault.node)
		return
	}
	found := false
	for i := range b.graph.Links {
		if b.linkMatches(i, fault.link) {
			found = true
			do(i)
		}
	}
	if !found {
		b.add(fault.at, "no link has the name %q: a link is its two ends, such as %q",
			shorten(fault.link), b.graph.LinkName(0))
	}
}

// wayToward returns the directions in which link i loses frames.
func wayToward(b *builder, i int, fault *faultDraft) plan.Way {
	if fault.toward == "" {
		return plan.BothWays
	}
	l := &b.graph.Links[i]
	is := func(node plan.NodeID) bool {
		name := b.graph.Name(node)
		ok, _ := path.Match(fault.toward, name)
		return ok || fault.toward == name
	}
	switch atA, atB := is(l.A.Node), is(l.B.Node); {
	case atA && !atB:
		return plan.BToA
	case atB && !atA:
		return plan.AToB
	default:
		b.add(fault.node.Where("toward"), "toward: %q is not one of the two ends of link %s", shorten(fault.toward),
			b.graph.LinkName(i))
		return plan.BothWays
	}
}

// longHaulOf returns the long-haul path of a link, nil if it has none.
func longHaulOf(b *builder, link int) *plan.WAN {
	for i := range b.wanLinks {
		if b.wanLinks[i].link == link {
			return &b.plan.WANs[i]
		}
	}
	return nil
}

// linkMatches reports whether a fault's link means link i.
func (b *builder) linkMatches(i int, pattern string) bool {
	l := &b.graph.Links[i]
	x, y := b.graph.Name(l.A.Node), b.graph.Name(l.B.Node)
	px, py := x+":"+strconv.Itoa(l.A.Port), y+":"+strconv.Itoa(l.B.Port)
	names := []string{x + "-" + y, y + "-" + x, px + "-" + py, py + "-" + px}
	if haul := longHaulOf(b, i); haul != nil {
		names = append(names, haul.Name)
	}
	for _, name := range names {
		if ok, _ := path.Match(pattern, name); ok || pattern == name {
			return true
		}
	}
	return false
}
