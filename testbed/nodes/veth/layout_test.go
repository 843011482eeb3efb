package veth

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/notification"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// planOf returns the only plan of a scenario.
func planOf(t *testing.T, yaml string) *plan.Plan {
	t.Helper()
	s, err := scenario.Parse("test.yaml", []byte(yaml), model.Checker(shipped.Find))
	if err != nil {
		t.Fatal(err)
	}
	plans, err := s.Plans()
	if err != nil || len(plans) != 1 {
		t.Fatal(err, len(plans))
	}
	return plans[0]
}

// star is three hosts at a switch; more are further lines.
func star(t *testing.T, hosts int, more string) *plan.Plan {
	return planOf(t, fmt.Sprintf("name: star\ntopology: {kind: star, hosts: %d}\ntraffic: [{name: a, kind: flow, from: "+
		"h0, to: h1, size: 1MB, algorithm: fixed}]\n%s", hosts, more))
}

// servers is two servers of two NICs each at a switch.
func servers(t *testing.T) *plan.Plan {
	p := star(t, 4, "")
	for i, server := range []string{"a", "a", "b", "b"} {
		p.NICs[i].Server = server
	}
	return p
}

func arranged(t *testing.T, p *plan.Plan, way Daemons) *State {
	t.Helper()
	t.Setenv("ROCELAB_RUN", "/r")
	s := &State{Name: "x", Daemons: way, Scenario: "star", Ready: true}
	if err := layout(p, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// describe lists containers with their daemons, and nodes with who hosts them.
func describe(s *State) string {
	var parts []string
	for _, c := range s.Containers {
		parts = append(parts, fmt.Sprintf("%s(%s):%d", c.Name, c.Kind, len(c.Sockets)))
	}
	for _, n := range s.Nodes {
		parts = append(parts, fmt.Sprintf("%s@%s=%s#%d", n.Name, strings.Join(n.Interfaces, "+"), n.Host, n.Participant))
	}
	return strings.Join(parts, " ")
}

func TestArrange(t *testing.T) {
	for _, c := range []struct {
		name string
		plan *plan.Plan
		way  Daemons
		want string
	}{
		{"a daemon per node", star(t, 2, ""), PerNode,
			"s0(switch):1 h0(server):1 h1(server):1 s0@p0+p1=s0#0 h0@roce0=h0#1 h1@roce0=h1#2"},
		{"a daemon per server of one NIC", star(t, 2, ""), PerServer,
			"s0(switch):1 h0(server):1 h1(server):1 s0@p0+p1=s0#0 h0@roce0=h0#1 h1@roce0=h1#2"},
		{"a pool", star(t, 2, ""), Pool,
			"s0(switch):1 h0(server):1 h1(server):1 pool(pool):1 s0@p0+p1=pool#0 h0@roce0=pool#0 h1@roce0=pool#0"},
		{"a daemon per server of two NICs", servers(t), PerServer,
			"s0(switch):1 a(server):1 b(server):1 s0@p0+p1+p2+p3=s0#0 h0@roce0=a#1 h1@roce1=a#1 h2@roce0=b#2 h3@roce1=b#2"},
		{"a daemon per node in servers of two NICs", servers(t), PerNode,
			"s0(switch):1 a(server):2 b(server):2 s0@p0+p1+p2+p3=s0#0 h0@roce0=a/0#1 h1@roce1=a/1#2 h2@roce0=b/0#3 " +
				"h3@roce1=b/1#4"},
		{"a pool for servers of two NICs", servers(t), Pool,
			"s0(switch):1 a(server):1 b(server):1 pool(pool):1 s0@p0+p1+p2+p3=pool#0 h0@roce0=pool#0 h1@roce1=pool#0 " +
				"h2@roce0=pool#0 h3@roce1=pool#0"},
	} {
		s := arranged(t, c.plan, c.way)
		if got := describe(s); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if got, want := s.Links[1].String(), "s0:1"; !strings.Contains(got, want) {
			t.Errorf("%s: link 1 is %s", c.name, got)
		}
	}
}

// String is used by the test only.
func (l LinkState) String() string { return l.A.String() + "-" + l.B.String() }

// TestVethsHoldEveryFrame: the longest notification and its trailer go over the
// veths of the smallest packets, tagged too; large packets decide by themselves.
func TestVethsHoldEveryFrame(t *testing.T) {
	m := notification.Message{Count: notification.MaxFlows}
	var f wire.Frame
	f.SetDatagram(m.AppendTo(nil))
	f.Tagged = true
	for mtu, want := range map[unit.Bytes]unit.Bytes{64: 294 + trailerRoom, 1000: 1122 + trailerRoom} {
		p := star(t, 3, fmt.Sprintf("mtu: %dB\n", mtu))
		if got := vethMTU(p); got != want {
			t.Errorf("packets of %d B: veths of %d B, want %d", mtu, got, want)
		}
		if need := len(f.AppendTo(nil)) + packet.TrailerLen; need > largestFrame(vethMTU(p)) || need-14-4 > int(vethMTU(p)) {
			t.Errorf("packets of %d B: a notification of %d B with trailer, room for %d", mtu, need, largestFrame(vethMTU(p)))
		}
	}
}

func TestMembersAreNamedWithTheirNodes(t *testing.T) {
	for way, want := range map[Daemons][]string{
		PerServer: {"switchd of s0", "nicd of h0, h1", "nicd of h2, h3"},
		PerNode:   {"switchd of s0", "nicd of h0", "nicd of h1", "nicd of h2", "nicd of h3"},
		Pool:      {"the pool's daemon"},
	} {
		s := arranged(t, servers(t), way)
		var got []string
		sockets := map[string]bool{}
		for _, m := range s.participants() {
			got = append(got, s.participantName(&m))
			sockets[m.socket] = true
		}
		if !slices.Equal(got, want) || s.Participants() != len(want) || len(sockets) != len(want) {
			t.Errorf("%s: participants %q on %d sockets, want %q", way, got, len(sockets), want)
		}
	}
}

func TestTwoContainersOfOneNameAreRefused(t *testing.T) {
	p := servers(t)
	p.NICs[2].Server = "s0"
	if err := layout(p, &State{Name: "x", Daemons: PerServer}); err == nil || !strings.Contains(err.Error(),
		"would be called s0") {
		t.Errorf("a server called like a switch: %v", err)
	}
	p = star(t, 3, "")
	p.NICs[0].Server = poolName
	if err := layout(p, &State{Name: "x", Daemons: Pool}); err == nil || !strings.Contains(err.Error(),
		"would be called pool") {
		t.Errorf("a server called pool: %v", err)
	}
}

func TestFits(t *testing.T) {
	s := arranged(t, star(t, 3, ""), PerServer)
	for _, c := range []struct {
		name string
		plan *plan.Plan
		want string // "" if it fits
	}{
		{"the same plan", star(t, 3, ""), ""},
		{"another latency and rate",
			planOf(t, "name: star\ntopology: {kind: star, hosts: 3, latency: 5us, rate: 400Gbps}\ntraffic: [{name: a, kind: "+
				"flow, from: h0, to: h2, size: 1MB, algorithm: fixed}]\n"), ""},
		{"another traffic", star(t, 3, "seed: 9\n"), ""},
		{"more hosts", star(t, 4, ""), "another graph"},
		{"fewer hosts", star(t, 2, ""), "another graph"},
		{"larger frames", star(t, 3, "mtu: 4000B\n"), "deploy it again"},
		{"NICs in other servers", servers(t), "another graph"},
	} {
		err := s.Fits(c.plan)
		var unfit *FitError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &unfit) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	s.Ready = false
	if err := s.Fits(star(t, 3, "")); err == nil || !strings.Contains(err.Error(), "rocelab destroy --testbed x") {
		t.Errorf("a half-made testbed: %v", err)
	}
}

func TestHoldsRefusesForeignPlugins(t *testing.T) {
	s := &State{Name: "x", Plugins: map[string]string{"pc4": "/a/cc-pc4"}}
	if err := s.checkPlugins(map[string]string{"pc4": "/a/cc-pc4"}); err != nil {
		t.Error(err)
	}
	for _, other := range []map[string]string{{"pc4": "/b/cc-pc4"}, {"mine": "/a/cc-mine"}} {
		var unfit *FitError
		err := s.checkPlugins(other)
		if !errors.As(err, &unfit) || !strings.Contains(err.Error(), "testbed x does not hold") {
			t.Errorf("%v: %v", other, err)
		}
	}
}

func TestParseDaemons(t *testing.T) {
	for _, way := range []Daemons{PerNode, PerServer, Pool} {
		if got, err := ParseDaemons(string(way)); got != way || err != nil {
			t.Error(got, err)
		}
	}
	if _, err := ParseDaemons("each"); err == nil || !strings.Contains(err.Error(), "node, server, pool") {
		t.Error(err)
	}
}
