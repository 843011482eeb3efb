package scenario

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
)

// mostPath bounds the number of a path.
const mostPath = 99999

// pathField reads the number of a path, or a list of them.
var pathField = field[trafficDraft]{
	key: "path",
	doc: "Pins the data of these flows to one of the shortest paths, by its number: they count from 0 in the " +
		"order of the ports of the first switch, then of the second; in a leaf-spine that is the number of the " +
		"spine. With a list the flows take one path after another, and start over at its end. Their UDP source " +
		"ports are chosen so that ECMP selects that path; ACKs take the path that ECMP selects. Default: the path " +
		"that ECMP selects.",
	schema: func(*outline) schema {
		number := schema{"type": "integer", "minimum": 0, "maximum": mostPath}
		return schema{"type": []string{"integer", "array"}, "minimum": 0, "maximum": mostPath, "items": number,
			"minItems": 1}
	},
	read: func(r *reader, n *node, draft *trafficDraft) {
		items := []*node{n}
		if n.Kind == document.Sequence {
			if items = n.Items; len(items) == 0 {
				r.add(n.At, "path is empty: write the number of a path, or a list of them")
			}
		}
		draft.paths = nil
		for _, item := range items {
			if number, ok := r.integer(item, "path", 0, mostPath); ok {
				draft.paths = append(draft.paths, int(number))
			}
		}
	},
}

// pinned is a flow's path by its number.
type pinned struct {
	src, dst, number int
}

// pin sets the path of a flow whose entry has one; flow counts the flows of the entry. It reports whether there is such
// a path.
func (b *builder) pin(flow *plan.Flow, draft *trafficDraft, nth int, known map[pinned]fabric.Path) bool {
	number, of := draft.paths[nth%len(draft.paths)], b.routes.Paths(flow.Src, flow.Dst)
	at := draft.node.Where("path")
	if number >= of {
		b.add(at, "path is %d, and from %s to %s there are %d: allowed is 0 to %d", number, b.plan.NICs[flow.Src].Name,
			b.plan.NICs[flow.Dst].Name, of, of-1)
		return false
	}
	channels, ports := b.routes.PathNumber(flow.Src, flow.Dst, number)
	key := pinned{flow.Src, flow.Dst, number}
	if known[key] == nil {
		known[key] = channels
	}
	flow.Path, flow.Pin = known[key], &plan.Pin{Number: number, Of: of, Ports: ports}
	return b.pinsHold(flow, draft, "path")
}

// pinsHold refuses a flow that a key pins if a switch on its path does not hash.
func (b *builder) pinsHold(flow *plan.Flow, draft *trafficDraft, key string) bool {
	for _, i := range b.plan.SwitchesOf(flow) {
		if mode := b.plan.Switches[i].Profile.Forwarding; flow.Pin.Of > 1 && mode != profile.ECMP {
			b.add(draft.node.Where(key), "%s pins flows, and %s forwards by %s: allowed is ecmp", key, b.plan.Switches[i].Name,
				profile.ForwardingNames[mode])
			return false
		}
	}
	return true
}

// PinnedClass is the flows that are pinned to paths by the same switches.
type PinnedClass struct {
	// Flows is their number; Example is one of them.
	Flows   int    `json:"flows"`
	Example string `json:"example"`
	// Number is the path's of Of; Switches are those on it, of balanced flows those with DCI ports.
	Number   int    `json:"path"`
	Of       int    `json:"of"`
	Switches string `json:"switches"`
}

func pinnedClasses(planned *plan.Plan) (list []PinnedClass) {
	places := map[string]int{}
	for i := range planned.Flows {
		flow := &planned.Flows[i]
		if flow.Pin == nil {
			continue
		}
		var names []string
		for _, end := range planned.PortsOn(flow.Src, flow.Pin.Ports) {
			at := planned.Node(end.Node)
			if !flow.Pin.Balanced || planned.AttachmentAt(&at, end.Port).DCI {
				names = append(names, at.Name)
			}
		}
		way := strings.Join(names, " ")
		key := fmt.Sprintf("%d/%d %s", flow.Pin.Number, flow.Pin.Of, way)
		place, ok := places[key]
		if !ok {
			place = len(list)
			places[key] = place
			list = append(list, PinnedClass{
				Example:  planned.NICs[flow.Src].Name + " to " + planned.NICs[flow.Dst].Name,
				Number:   flow.Pin.Number,
				Of:       flow.Pin.Of,
				Switches: way,
			})
		}
		list[place].Flows++
	}
	return list
}
