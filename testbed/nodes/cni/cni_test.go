package cni

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/containernetworking/cni/pkg/types"
	current "github.com/containernetworking/cni/pkg/types/100"
	"github.com/vishvananda/netlink"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

func TestVersionNamesWhatThePluginSpeaks(t *testing.T) {
	versions(t, func(r *runtime) {
		out := string(r.must("VERSION", nil, nil))
		if !strings.Contains(out, `"supportedVersions":["1.0.0","1.1.0"]`) {
			r.t.Error(out)
		}
	})
}

func TestOneAddMakesBothEndsWhereThePeerIsKnown(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		b.ifname = "up7"
		k := peerOf(b)
		result := r.add(a, k)
		if len(result.Interfaces) != 1 {
			r.t.Fatalf("interfaces %v", result.Interfaces)
		}
		i := result.Interfaces[0]
		if i.Name != a.ifname || i.Sandbox != a.netns || i.Mtu != 9000 || i.Mac == "" {
			r.t.Errorf("interface %+v", i)
		}
		if err := netns.Check(netns.Link{
			A:   netns.End{Namespace: a.netns, Interface: "eth1"},
			B:   netns.End{Namespace: b.netns, Interface: "up7"},
			MTU: 9000,
		}); err != nil {
			r.t.Error(err)
		}
		if a.state() != "up" || b.state() != "up" {
			r.t.Errorf("ends %s and %s", a.state(), b.state())
		}
		k = after(k, result)
		r.must("CHECK", a, k)
		for range 2 {
			if out := r.must("DEL", a, k); len(out) > 0 {
				r.t.Errorf("DEL printed %s", out)
			}
			if a.state() == "up" || b.state() == "up" {
				r.t.Errorf("after DEL: ends %s and %s", a.state(), b.state())
			}
		}
	})
}

func TestTwoAddsMeetByTheLinksName(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		k := meetAt("leaf1-spine1")

		first := after(k, r.add(a, k))
		if a.state() != "down" || !r.waiting("leaf1-spine1") {
			r.t.Errorf("after one ADD: %s, its far end waits: %v", a.state(), r.waiting("leaf1-spine1"))
		}
		r.must("CHECK", a, first)

		second := after(k, r.add(b, k))
		if a.state() != "up" || b.state() != "up" || r.waiting("leaf1-spine1") {
			r.t.Errorf("after two ADDs: %s and %s, a far end waits: %v", a.state(), b.state(), r.waiting("leaf1-spine1"))
		}
		r.must("CHECK", a, first)
		r.must("CHECK", b, second)

		r.must("DEL", b, second)
		r.must("DEL", b, second)
		r.refuses("CHECK", a, first, codeBroken, "eth1")
		r.refuses("CHECK", b, second, types.ErrUnknownContainer, "eth1 of container b")

		// Another container in place of b: a has its interface again, with the same address.
		c := r.box("c")
		third := after(k, r.add(c, k))
		r.must("CHECK", a, first)
		r.must("CHECK", c, third)

		r.must("DEL", a, first)
		r.must("DEL", c, third)
		if left, _ := os.ReadDir(r.dir); len(left) > 0 {
			r.t.Errorf("left in the data folder: %v", left)
		}
	})
}

func TestAContainerThatVanishedIsReplaced(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		k := meetAt("l")
		first := after(k, r.add(a, k))
		r.add(b, k)
		b.vanish()
		for _, id := range []string{"c", "d"} { // a's interface is made anew each time
			c := r.box(id)
			next := after(k, r.add(c, k))
			r.must("CHECK", a, first)
			r.must("CHECK", c, next)
			r.must("DEL", b, k) // late, and of no concern to those who stayed
			r.must("CHECK", a, first)
			c.vanish()
		}
	})
}

func TestTheFirstVanishesWhileItWaits(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		k := meetAt("l")
		r.add(a, k)
		a.vanish()
		second := after(k, r.add(b, k))
		if b.state() != "down" || !r.waiting("l") {
			r.t.Errorf("b is %s, its far end waits: %v", b.state(), r.waiting("l"))
		}
		r.must("CHECK", b, second)
		b.vanish()
		r.must("DEL", b, second)
		if r.waiting("l") {
			r.t.Error("the far end is left")
		}
	})
}

func TestAnotherNamespaceAtThePathIsNotTheContainer(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		k := meetAt("l")
		r.add(a, k)
		a.vanish()
		if err := netns.NewNamespace(a.netns); err != nil {
			r.t.Fatal(err)
		}
		r.add(b, k)
		if b.state() != "down" || !r.waiting("l") {
			r.t.Errorf("b is %s: it was joined to a container that has gone", b.state())
		}
	})
}

func TestAnAddThatCannotBeRecordedLeavesNoLink(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		obstacle := filepath.Join(r.dir, "fabric.json.new")
		if err := os.MkdirAll(obstacle, 0o700); err != nil {
			r.t.Fatal(err)
		}
		r.refuses("ADD", a, peerOf(b), types.ErrIOFailure, "record the attachments")
		r.refuses("ADD", a, meetAt("l"), types.ErrIOFailure, "is a directory")
		if a.state() == "up" || a.state() == "down" || r.waiting("l") {
			r.t.Errorf("an interface is left: %s", a.state())
		}
		if err := os.Remove(obstacle); err != nil {
			r.t.Fatal(err)
		}
	})
}

func TestDelOfAVanishedContainerReleasesThePeer(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		k := peerOf(b)
		r.add(a, k)
		a.vanish()
		gone := &box{id: a.id, ifname: a.ifname} // a runtime may leave CNI_NETNS empty
		r.must("DEL", gone, k)
		if !strings.Contains(b.state(), "not found") {
			r.t.Errorf("the peer's end is %s", b.state())
		}
	})
}

func TestALinkHasTwoEnds(t *testing.T) {
	versions(t, func(r *runtime) {
		k := meetAt("l")
		a, b, c := r.box("a"), r.box("b"), r.box("c")
		r.add(a, k)
		r.refuses("ADD", a, k, codeTaken, "eth1 of container a")
		r.add(b, k)
		r.refuses("ADD", c, k, codeTaken, "link l has both its ends; eth1 of container a and eth1 of container b")
	})
}

func TestBothEndsHaveOneMTU(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		r.add(a, keys{"link": "l", "mtu": 4264})
		r.refuses("ADD", b, keys{"link": "l"}, types.ErrInvalidNetworkConfig,
			"mtu 1500: link l was begun with 4264 by eth1 of container a")
	})
}

func TestAnInterfaceThatExistsIsLeftAlone(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b, c, d := r.box("a"), r.box("b"), r.box("c"), r.box("d")
		other := netns.Link{A: netns.End{Namespace: a.netns, Interface: "eth1"},
			B: netns.End{Namespace: b.netns, Interface: "eth1"}, MTU: 1500}
		if err := netns.Connect(other); err != nil {
			r.t.Fatal(err)
		}
		r.refuses("ADD", a, meetAt("first"), codeExists, "interface eth1 in "+a.netns+" exists already")
		r.refuses("ADD", a, peerOf(c), codeExists, "interface eth1 in "+a.netns+" exists already")
		r.refuses("ADD", c, peerOf(a), codeExists, "interface eth1 in "+a.netns+" exists already")
		first := after(meetAt("second"), r.add(d, meetAt("second")))
		r.refuses("ADD", a, meetAt("second"), codeExists, "interface eth1 in "+a.netns+" exists already")
		r.must("CHECK", d, first)
		r.must("DEL", a, meetAt("second"))
		if err := netns.Check(other); err != nil {
			r.t.Error(err)
		}
		if r.waiting("first") || c.state() == "up" {
			r.t.Error("a failed ADD left an interface")
		}
	})
}

func TestDelSparesALaterInterfaceOfThatName(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b, c := r.box("a"), r.box("b"), r.box("c")
		k := meetAt("l")
		r.add(a, k)
		r.add(b, k)
		r.must("DEL", b, k) // takes a's interface too
		other := netns.Link{A: netns.End{Namespace: a.netns, Interface: "eth1"},
			B: netns.End{Namespace: c.netns, Interface: "eth1"}, MTU: 1500}
		if err := netns.Connect(other); err != nil {
			r.t.Fatal(err)
		}
		r.must("DEL", a, k)
		if err := netns.Check(other); err != nil {
			r.t.Error(err)
		}
	})
}

func TestInvalidConfigurations(t *testing.T) {
	versions(t, func(r *runtime) {
		a := r.box("a")
		const bad = types.ErrInvalidNetworkConfig
		for _, c := range []struct {
			k    keys
			code uint
			want string
		}{
			{keys{}, bad, `neither "link" nor "peer" is given`},
			{keys{"link": "l", "peer": keys{"netns": a.netns, "ifname": "p"}}, bad, `both "link" and "peer" are given`},
			{keys{"link": "l", "mtu": 67}, bad, "MTU 67: allowed are 68 to 65535 bytes"},
			{keys{"link": "l", "mtu": 65536}, bad, "MTU 65536"},
			{keys{"link": "l", "mtu": "big"}, types.ErrDecodingFailure, "mtu"},
			{keys{"link": "a/b"}, bad, `link "a/b": allowed are letters`},
			{keys{"link": "l", "ifname": "sixteen-bytes-xx"}, bad, "1 to 15 bytes"},
			{keys{"peer": keys{"netns": "netns/b", "ifname": "p"}}, bad, `peer.netns "netns/b": an absolute path is needed`},
			{keys{"peer": keys{"netns": a.netns}}, bad, `interface name ""`},
			{peerOf(a), bad, "its ends are one interface"},
			{keys{"link": "l", "dataDir": "data"}, bad, `dataDir "data": an absolute path is needed`},
			{keys{"link": "l", "cniVersion": "0.4.0"}, types.ErrIncompatibleCNIVersion, "incompatible"},
			{keys{"link": "l", "name": ""}, bad, "missing network name"},
			{keys{"link": "l", "prevResult": keys{"cniVersion": r.version, "ips": 7}}, types.ErrDecodingFailure, "prevResult"},
		} {
			r.refuses("ADD", a, c.k, c.code, c.want)
		}
		if _, err := r.raw("ADD", a, []byte("{")); err == nil || err.Code != types.ErrDecodingFailure {
			r.t.Errorf("malformed JSON: %v", err)
		}
		if a.state() == "up" || a.state() == "down" {
			r.t.Errorf("an interface was made: %s", a.state())
		}
		r.must("DEL", a, keys{"link": "a/b", "mtu": 0}) // what ADD refused may be taken off
	})
}

func TestANamespaceThatIsNone(t *testing.T) {
	versions(t, func(r *runtime) {
		file := r.t.TempDir() + "/file"
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			r.t.Fatal(err)
		}
		a := r.box("a")
		for path, want := range map[string]string{file: "is not a network namespace", file + "-absent": "no such file"} {
			none := &box{"none", path, "eth1"}
			r.refuses("ADD", none, meetAt("l"), types.ErrInvalidNetNS, want)
			r.refuses("ADD", none, peerOf(a), types.ErrInvalidNetNS, want)
			r.refuses("ADD", a, peerOf(none), types.ErrInvalidNetNS, want)
		}
	})
}

func TestCheckFindsWhatChanged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*runtime, *box)
		want   string
	}{
		"removed": {func(r *runtime, b *box) { r.alter(b, netlink.LinkDel) }, "eth1"},
		"down":    {func(r *runtime, b *box) { r.alter(b, netlink.LinkSetDown) }, "is down"},
		"MTU": {func(r *runtime, b *box) {
			r.alter(b, func(l netlink.Link) error { return netlink.LinkSetMTU(l, 1400) })
		}, "has MTU 1400, not 9000"},
		"MAC": {func(r *runtime, b *box) {
			r.alter(b, func(l netlink.Link) error { return netlink.LinkSetHardwareAddr(l, []byte{2, 0, 0, 0, 0, 9}) })
		}, "has MAC 02:00:00:00:00:09, not "},
		"another namespace": {func(r *runtime, b *box) {
			b.vanish()
			if err := netns.NewNamespace(b.netns); err != nil {
				r.t.Fatal(err)
			}
		}, "is not the namespace that eth1 of container a was made in"},
	} {
		t.Run(name, func(t *testing.T) {
			versions(t, func(r *runtime) {
				a, b := r.box("a"), r.box("b")
				k := peerOf(b)
				k = after(k, r.add(a, k))
				c.change(r, a)
				r.refuses("CHECK", a, k, codeBroken, c.want)
			})
		})
	}
}

// alter changes a box's interface by netlink.
func (r *runtime) alter(b *box, do func(netlink.Link) error) {
	r.t.Helper()
	err := netns.In(b.netns, func() error {
		i, err := netlink.LinkByName(b.ifname)
		if err != nil {
			return err
		}
		return do(i)
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func TestCheckNeedsTheResultOfAdd(t *testing.T) {
	versions(t, func(r *runtime) {
		a := r.box("a")
		k := meetAt("l")
		r.add(a, k)
		r.refuses("CHECK", a, k, types.ErrInvalidNetworkConfig, "prevResult: there is no interface eth1")
	})
}

func TestGCTakesOffWhatIsNotValid(t *testing.T) {
	r := with(t, "1.1.0")
	a, b, c, d, e := r.box("a"), r.box("b"), r.box("c"), r.box("d"), r.box("e")
	kept := peerOf(b)
	kept = after(kept, r.add(a, kept))
	r.add(c, peerOf(d))
	r.add(e, meetAt("l"))
	r.must("GC", nil, keys{"cni.dev/valid-attachments": []types.GCAttachment{{ContainerID: "a", IfName: "eth1"},
		{ContainerID: "c", IfName: "eth2"}}})
	r.must("CHECK", a, kept)
	for _, stale := range []*box{c, d, e} {
		if !strings.Contains(stale.state(), "not found") {
			t.Errorf("%v is %s", stale, stale.state())
		}
	}
	if r.waiting("l") {
		t.Error("a far end still waits")
	}
}

func TestGCAndStatusCameWith110(t *testing.T) {
	r := with(t, "1.0.0")
	for _, verb := range []string{"GC", "STATUS"} {
		r.refuses(verb, nil, nil, types.ErrIncompatibleCNIVersion, "config version does not allow "+verb)
	}
}

func TestStatusSaysWhetherLinksCanBeMade(t *testing.T) {
	r := with(t, "1.1.0")
	if out := r.must("STATUS", nil, meetAt("l")); len(out) > 0 {
		t.Errorf("STATUS printed %s", out)
	}
	file := t.TempDir() + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.refuses("STATUS", nil, keys{"link": "l", "dataDir": file}, types.ErrPluginNotAvailable, "not a directory")
}

func TestAChainedResultIsPassedOn(t *testing.T) {
	versions(t, func(r *runtime) {
		a := r.box("a")
		a.ifname = "roce0"
		before := &current.Result{CNIVersion: r.version}
		if err := json.Unmarshal(
			[]byte(`{"interfaces": [{"name": "eth0", "mac": "02:00:00:00:00:01", "sandbox": "/run/netns/x"}],
			"ips": [{"address": "10.1.2.3/24", "gateway": "10.1.2.1", "interface": 0}],
			"routes": [{"dst": "0.0.0.0/0"}], "dns": {"nameservers": ["10.1.2.1"]}}`), before); err != nil {
			r.t.Fatal(err)
		}
		// The chain's own interface has another name than this link's.
		k := keys{"link": "l", "ifname": "roce0", "prevResult": before}
		chain := &box{a.id, a.netns, "eth0"}
		result := r.add(chain, k)
		if len(result.Interfaces) != 2 || result.Interfaces[0].Name != "eth0" || result.Interfaces[1].Name != "roce0" {
			r.t.Fatalf("interfaces %v", result.Interfaces)
		}
		if len(result.IPs) != 1 || result.IPs[0].Address.String() != "10.1.2.3/24" || *result.IPs[0].Interface != 0 ||
			len(result.Routes) != 1 || len(result.DNS.Nameservers) != 1 {
			r.t.Errorf("result %+v", result)
		}
		k["prevResult"] = result
		r.must("CHECK", chain, k)
		if a.state() != "down" {
			r.t.Errorf("roce0 is %s", a.state())
		}
		r.must("DEL", chain, k)
	})
}

func TestArgsNameTheLinkOfOneAttachment(t *testing.T) {
	versions(t, func(r *runtime) {
		a, b := r.box("a"), r.box("b")
		k := keys{"link": "default", "args": keys{"cni": keys{"link": "special"}}}
		r.add(a, k)
		if !r.waiting("special") || r.waiting("default") {
			r.t.Error("args.cni.link is not regarded")
		}
		r.add(b, k)
		if b.state() != "up" {
			r.t.Errorf("b is %s", b.state())
		}
	})
}

func TestManyAddsAtOnce(t *testing.T) {
	r := with(t, "1.1.0")
	const links = 8
	results := make([]keys, 2*links)
	boxes := make([]*box, 2*links)
	for i := range boxes {
		boxes[i] = r.box(fmt.Sprintf("c%d", i))
	}
	var all sync.WaitGroup
	for i, b := range boxes {
		all.Go(func() {
			k := meetAt(fmt.Sprintf("l%d", i%links))
			out, err := r.call("ADD", b, k)
			if err != nil {
				t.Errorf("%v: %v", b, err)
				return
			}
			result, _ := current.NewResult(out)
			results[i] = after(k, result.(*current.Result))
		})
	}
	all.Wait()
	for i, b := range boxes {
		if results[i] != nil {
			r.must("CHECK", b, results[i])
		}
		if b.state() != "up" {
			t.Errorf("%v is %s", b, b.state())
		}
	}
}
