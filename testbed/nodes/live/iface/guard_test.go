package iface

import (
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// Use that a run would break is refused by name, with the damage that force would do; by force the interface is taken
// if that is possible, and a refusal changes nothing. Tier: slow, root.
func TestRefusals(t *testing.T) {
	tier.Slow(t)
	for _, test := range []struct {
		name     string
		commands []string
		want     Want
		// says is the text of the error; forced the hold's text if it is taken by force, "" if that is not possible.
		says, forced string
	}{
		{"missing", []string{pair}, Want{Interface: "edge1"}, "does not exist: there are edge0, host0", ""},
		{"loopback", nil, Want{Interface: "lo"}, "is loopback", ""},
		{"small", up, Want{MTU: 4000}, "has MTU 1500, and the edge needs 4000: ip link set edge0 mtu 4000", ""},
		{"down", []string{pair}, Want{}, "is down: ip link set edge0 up", raised},
		{"member", append(slices.Clone(up), "ip link add br0 type bridge", "ip link set edge0 master br0"), Want{},
			"is a member of the bridge br0: ip link set edge0 nomaster", memberBreaks},
		{"bridge", []string{"ip link add edge0 type bridge", "ip link set edge0 up"}, Want{}, "is a bridge", masterBreaks},
		{"address", append(slices.Clone(up), "ip addr add 10.2.0.1/24 dev edge0"), Want{},
			"carries the address 10.2.0.1/24: ip addr del 10.2.0.1/24 dev edge0", hostHears},
		{"address of IPv6", append(slices.Clone(up), "ip addr add fd00::1/64 dev edge0 nodad"), Want{},
			"carries the address fd00::1/64", hostHears},
		{"default route", append(slices.Clone(up), "ip route add default dev edge0"), Want{},
			"carries the route default", routeBreaks},
		{"default route of IPv6", append(slices.Clone(up), "ip -6 route add default dev edge0"), Want{},
			"carries the route default", routeBreaks},
		{"default route of another table", append(slices.Clone(up), "ip route add default dev edge0 table 77"), Want{},
			"carries the route default of table 77", routeBreaks},
		{"default route with several hops", append(slices.Clone(up),
			"ip route add default nexthop dev edge0 nexthop dev host0"), Want{}, "carries the route default", routeBreaks},
		{"route", append(slices.Clone(up), "ip route add 10.3.0.0/16 dev edge0"), Want{},
			"carries the route 10.3.0.0/16", hostHears},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSpace(t, test.commands...)
			before := s.settled()
			w := test.want
			w.Namespace = s.path
			says := strings.Replace(test.says, ": ip ", ": nsenter --net="+s.path+" ip ", 1)
			if w.Interface == "" {
				w.Interface = "edge0"
			}
			_, taken := Take(s.root, w)
			for _, err := range []error{taken, Check(w)} {
				if err == nil || !isRefusal(err) || !strings.Contains(err.Error(), "interface "+w.String()+" "+says) ||
					!strings.HasSuffix(err.Error(), test.forced) {
					t.Errorf("got  %v\nwant %s %s", err, says, test.forced)
				}
			}
			s.asBefore(before)
			w.Force = true
			h, err := Take(s.root, w)
			if test.forced == "" {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("by force: %v", err)
				}
				s.asBefore(before)
				return
			}
			if err != nil {
				t.Fatalf("by force: %v", err)
			}
			if forced := strings.Join(h.Forced, "\n"); !strings.Contains(forced, test.forced) {
				t.Errorf("by force: %q", forced)
			}
			if err := h.Release(); err != nil {
				t.Error(err)
			}
			s.asBefore(before)
		})
	}
}

func TestANamespaceThatIsNotThere(t *testing.T) {
	_, err := Take(t.TempDir(), Want{Interface: "a", Namespace: "/nowhere"})
	const says = "interface a in /nowhere is in a network namespace that does not exist: ip netns has "
	if err == nil || !isRefusal(err) || !strings.HasPrefix(err.Error(), says) {
		t.Error(err)
	}
}

// A remedy is a command that works where the interface is.
func TestCommandsWorkInTheNamespace(t *testing.T) {
	for namespace, want := range map[string]string{
		"":                "ip link set a up",
		"/run/netns/blue": "ip -n blue link set a up",
		"/proc/7/ns/net":  "nsenter --net=/proc/7/ns/net ip link set a up",
	} {
		if got := (Want{Interface: "a", Namespace: namespace}).command("link set a up"); got != want {
			t.Errorf("in %q: %s, want %s", namespace, got, want)
		}
	}
}
