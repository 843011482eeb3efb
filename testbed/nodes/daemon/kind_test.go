package daemon

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/internal/modeltest"
	"github.com/rocelab/rocelab/testbed/model"
)

// oneOfEach has a node of each kind that there is, a foreign one among them.
func oneOfEach(t *testing.T) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("kinds.yaml", []byte(`
algorithm: dcqcn
topology: {kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 10km, name: fibre}}
traffic: [{kind: incast, size: 1MB}]
`), model.Checker(shipped.Find))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	modeltest.Insert(plans[0], 0, "box", modeltest.Config{Hold: 3 * unit.Microsecond})
	return plans[0]
}

// What a node of any kind is made from reaches the daemon whole, as a kind and what that
// kind writes, and what it brings back reaches the testbed.
func TestNodesOfEveryKindTravel(t *testing.T) {
	p := oneOfEach(t)
	blueprints, err := model.Blueprints(p)
	if err != nil {
		t.Fatal(err)
	}
	message, err := json.Marshal(&Order{Protocol: Protocol, Nodes: blueprints.Nodes, Algorithms: blueprints.Algorithms})
	if err != nil {
		t.Fatal(err)
	}
	var order Order
	if err := json.Unmarshal(message, &order); err != nil {
		t.Fatal(err)
	}
	if names := order.usedAlgorithms(); !reflect.DeepEqual(names, []string{"dcqcn"}) {
		t.Errorf("the nodes run %v", names)
	}
	builder := model.NewBuilder(order.Algorithms, shipped.Find)
	sent, kinds := &Result{}, map[plan.Kind]bool{}
	for i := range order.Nodes {
		b := &order.Nodes[i]
		// A NIC's sender may come with no list of words in place of an empty one.
		whole := b.Kind == plan.KindNIC || reflect.DeepEqual(*b, blueprints.Nodes[i])
		if again, err := json.Marshal(b.Design); err != nil || !whole || !bytes.Contains(message, again) {
			t.Errorf("%s %s came as %+v, was %+v (%v)", b.Kind, b.Name, b.Design, blueprints.Nodes[i].Design, err)
		}
		if len(b.Ports()) != len(p.Node(b.ID).Links) {
			t.Errorf("%s %s has %d ports", b.Kind, b.Name, len(b.Ports()))
		}
		n, err := builder.Build(b)
		if err != nil {
			t.Fatal(err)
		}
		kinds[b.Kind] = true
		sent.Reports = append(sent.Reports, n.Report(0, 0))
	}
	if len(kinds) != 4 {
		t.Errorf("kinds %v, want four", kinds)
	}
	answer, err := encodeResult(sent)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeResult(answer)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sent.Reports {
		if a, b := got.Reports[i].Record, sent.Reports[i].Record; reflect.TypeOf(a) != reflect.TypeOf(b) {
			t.Errorf("%s: a %T came, a %T was sent", order.Nodes[i].Name, a, b)
		}
	}
	out, err := model.Assemble(p, 0, slices.Values(got.Reports))
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Switches) != 2 || len(out.NICs) != 2 || len(out.WANs) != 1 || len(out.Devices) != 1 {
		t.Errorf("%d switches, %d NICs, %d paths, %d devices",
			len(out.Switches), len(out.NICs), len(out.WANs), len(out.Devices))
	}
}

func TestNodeOfNoKindIsAnswered(t *testing.T) {
	s := &session{host: &Host{}}
	r := s.carryOut(rawOrder{message: []byte(
		`{"Protocol": 2, "Nodes": [{"ID": 3, "Name": "box", "Kind": "oracle", "Design": {}}]}`)})
	want := `order: node box: "oracle" is not a kind of node that this program knows: allowed are edge, holder, ` +
		`nic, switch, wan`
	if r.Err != want {
		t.Errorf("answered %q, want %q", r.Err, want)
	}
	r = s.carryOut(rawOrder{message: []byte(`{"Protocol": 2, "Nodes": [{"Name": "box", "Kind": "holder", "Design": 7}]}`)})
	if !strings.HasPrefix(r.Err, "order: holder box: ") {
		t.Errorf("answered %q", r.Err)
	}
}
