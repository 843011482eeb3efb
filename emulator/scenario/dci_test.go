package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Each long link of a pair of data centres is a path of its own, whose ends are
// the DCI ports of two spines.
func TestLongLinksArePaths(t *testing.T) {
	for _, c := range []struct {
		fabric string
		paths  int
		rate   unit.BitRate
		delay  unit.Duration
	}{
		{"{kind: two-dc}", 64, 400 * unit.Gbps, 600 * unit.Microsecond},
		{"{kind: two-dc, scale: 1/8}", 8, 400 * unit.Gbps, 600 * unit.Microsecond},
		{"{kind: two-dc, scale: 1/64}", 4, 100 * unit.Gbps, 600 * unit.Microsecond},
		{"{kind: two-dc, scale: 1/64, sites: 1}", 0, 0, 0},
		{"{kind: two-dc, scale: 1/64, dci_wan: {length: 1km, equipment: 65us, wavelengths: 2, wavelength_rate: " +
			"40Gbps}}", 4, 80 * unit.Gbps, 70 * unit.Microsecond},
	} {
		t.Run(fmt.Sprintf("%.50q", c.fabric), func(t *testing.T) {
			p := centre(t, c.fabric)
			if len(p.WANs) != c.paths {
				t.Fatalf("%s: %d paths, want %d", c.fabric, len(p.WANs), c.paths)
			}
			for i := range p.WANs {
				w := &p.WANs[i]
				near, far := p.Links[w.Links[0]], p.Links[w.Links[1]]
				a, b := p.NodeName(near.A.Node), p.NodeName(far.B.Node)
				if near.Forward.Rate != c.rate || w.Profile.Phases[0].Delay != [2]unit.Duration{c.delay, c.delay} ||
					!strings.HasPrefix(a, "a-spine") || b != "b-"+a[2:] {
					t.Errorf("%s: %s joins %s and %s at %v, delays %v",
						c.fabric, w.Name, a, b, near.Forward.Rate, w.Profile.Phases[0].Delay)
				}
			}
			if len(p.WANs) > 0 && (p.WANs[0].Name != "wan0" || p.NodeName(p.WANNode(c.paths-1)) != p.WANs[c.paths-1].Name) {
				t.Errorf("%s: the first path is %s", c.fabric, p.WANs[0].Name)
			}
			ports := 0
			for port := range p.DCIPorts {
				ports++
				if far := p.Switches[port.Peer.Node].Name; far[2:] != p.Switches[port.Switch].Name[2:] ||
					port.Attachment.RoundTrip() != 2*c.delay {
					t.Errorf("%s: port %d of %s leads to %s, %v there and back",
						c.fabric, port.Port, p.Switches[port.Switch].Name, far, port.Attachment.RoundTrip())
				}
			}
			if ports != 2*c.paths {
				t.Errorf("%s: %d DCI ports, want %d", c.fabric, ports, 2*c.paths)
			}
		})
	}
}

// A scaled or oversubscribed run is named as such.
func TestPairsAreNamed(t *testing.T) {
	for fabric, want := range map[string]string{
		"{kind: two-dc}":                                "two-dc, 1024 NICs, DCI 1:1",
		"{kind: two-dc, dci_links: 8}":                  "two-dc, 1024 NICs, DCI 4:1",
		"{kind: two-dc, scale: 1/8}":                    "two-dc at 1/8 of full size, 128 NICs, DCI 1:1",
		"{kind: two-dc, scale: 1/64, rate: 100Gbps}":    "two-dc at 1/64 of full size, 16 NICs, DCI 2:1",
		"{kind: two-dc, scale: 1/64, sites: 1}":         "two-dc at 1/64 of full size, 16 NICs in one building",
		"{kind: pc4-testbed}":                           "",
		"{kind: two-dc, scale: 1/64, dci_links: 3}":     "two-dc at 1/64 of full size, 16 NICs, DCI 0.667:1",
		"{kind: two-dc, scale: 1/64, dci_rate: 50Gbps}": "two-dc at 1/64 of full size, 16 NICs, DCI 2:1",
	} {
		t.Run(fabric, func(t *testing.T) {
			if got := centre(t, fabric).Fabric; got != want {
				t.Errorf("%s: %q, want %q", fabric, got, want)
			}
		})
	}
}

// A host behind a path leaves the switch's port an ordinary one.
func TestPathToHostIsNoDCI(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
switch: {buffer: 64MB}
topology:
  nodes: [{name: a}, {name: b}, {name: s, kind: switch}]
  links: [{endpoints: [a, s], wan: {length: 120km}}, {endpoints: [s, b]}]
traffic: [{from: a, to: b, size: 1MB}]
`)[0]
	for port := range p.DCIPorts {
		t.Errorf("port %d of switch %d is a DCI port", port.Port, port.Switch)
	}
	if r := Analyse(p, nil); len(r.DCIs) != 0 || len(r.Headrooms) != 2 || r.Headrooms[0].DCI ||
		r.Headrooms[0].Headroom+r.Headrooms[1].Headroom < 15*unit.MB {
		t.Errorf("%+v, %+v", r.DCIs, r.Headrooms)
	}
}

const sites = `
algorithm: dcqcn
topology: {kind: dumbbell, left: 1, right: 1, bottleneck_wan: {length: 120km}}
traffic: [{from: h0, to: h1, size: 1MB}]
`

func TestDCIOfLength(t *testing.T) {
	for _, c := range []struct {
		keys      string
		want      DCIClass
		headrooms int // kinds
		warning   string
	}{
		// BDP: 1.2 ms at 100 Gb/s. Frames of 1122 B.
		{"", DCIClass{Buffer: 37500 * unit.KB, Kmin: 11250 * unit.KB, Kmax: 22500 * unit.KB}, 1, ""},
		{"{ecn: {enabled: false}, buffer: 40MB}", DCIClass{Buffer: 40 * unit.MB}, 1, ""},
		{"{buffer: 14MB, ecn: {kmin: 1MB, kmax: 2MB}}",
			DCIClass{Buffer: 14 * unit.MB, Kmin: unit.MB, Kmax: 2 * unit.MB}, 1,
			"dci.buffer is 14MB, less than the BDP of 15MB across 120km at 100Gbps"},
		{"{pfc: {enabled: true}}", DCIClass{
			Buffer:  37500 * unit.KB,
			Kmin:    11250 * unit.KB,
			Kmax:    22500 * unit.KB,
			Classes: 1,
			XON:     15 * unit.MB,
			XOFF:    15*unit.MB + 4*1122,
		}, 2, ""},
		{"{ecn: {enabled: false}, pfc: {enabled: true, xon: 25MB}}",
			DCIClass{Buffer: 25*unit.MB + 4*1122 + 15_000_000 + 3*1122 + 84 + 3840 + 3750*unit.KB + 4*1122,
				Classes: 1, XON: 25 * unit.MB, XOFF: 25*unit.MB + 4*1122}, 2, ""},
		{"{ecn: {enabled: false}, pfc: {enabled: true, xon: 1MB}}",
			DCIClass{Buffer: 37500 * unit.KB, Classes: 1, XON: unit.MB, XOFF: unit.MB + 4*1122}, 2,
			"dci.pfc.xon is 1MB, less than the BDP of 15MB"},
		{"{ecn: {enabled: false}, pfc: {enabled: true, headroom: 15MB}}",
			DCIClass{Buffer: 37500 * unit.KB, Classes: 1, XON: 15 * unit.MB, XOFF: 15*unit.MB + 4*1122}, 2,
			"dci.pfc.headroom is 15MB, PFC across 120km at 100Gbps needs 15.007MB"},
		{"{ecn: {enabled: false}, buffer: 30012MB, pfc: {enabled: true, xon: 29997MB, headroom: 14995KB}}",
			DCIClass{Buffer: 30012 * unit.MB, Classes: 1, XON: 29997 * unit.MB, XOFF: 29997*unit.MB + 4*1122}, 2,
			"PFC across 120km at 100Gbps takes 30.012GB of it: lossy classes lose every frame there"},
	} {
		t.Run(c.keys, func(t *testing.T) {
			keys := "switch: {headroom_rule: frames, pause_response: 0s}\n"
			if c.keys != "" {
				keys = "switch: {headroom_rule: frames, pause_response: 0s, dci: " + c.keys + "}\n"
			}
			r := Analyse(plansOf(t, sites+keys)[0], nil)
			want := c.want
			want.Ports, want.Example = 2, "s0:1"
			want.Rate, want.RTT, want.BDP = 100*unit.Gbps, 1200*unit.Microsecond, 15*unit.MB
			if len(r.DCIs) != 1 || r.DCIs[0] != want || len(r.Headrooms) != c.headrooms {
				t.Errorf("%s: %+v with headrooms %+v, want %+v", c.keys, r.DCIs, r.Headrooms, want)
			}
			if text := strings.Join(r.Warnings, "\n"); c.warning == "" && text != "" || !strings.Contains(text, c.warning) {
				t.Errorf("%s: warns %q, want %q", c.keys, text, c.warning)
			}
		})
	}
}

// Too few CNPs to be the only ones halve a rate later than a receiver is heard.
func TestWarnsOfTooFewCNPs(t *testing.T) {
	for settings, want := range map[string]string{
		"max_cnps: 1": "max_cnps is 1, and proximal.filter holds receivers' CNPs back: with as many for each message a " +
			"rate takes 3.449ms to halve, longer than the 1.2ms until a receiver is heard across 120km; 2 or more",
		"max_cnps: 2":                                "",
		"max_cnps: 1, filter: false":                 "",
		"max_cnps: 1, pause: true":                   "",
		"max_cnps: 1, notify: always, rate: true":    "",
		"max_cnps: 1, notify: never":                 "",
		"max_cnps: 1, map: linear":                   "",
		"max_cnps: 2, interval: 500us, filter: true": "halve, longer than the 1.2ms",
	} {
		t.Run(settings, func(t *testing.T) {
			r := Analyse(plansOf(t, sites+"switch: {proximal: {enabled: true, "+settings+"}}\n")[0], nil)
			text := strings.Join(r.Warnings, "\n")
			if want == "" && text != "" || !strings.Contains(text, want) {
				t.Errorf("%s: warns %q, want %q", settings, text, want)
			}
		})
	}
}

// Computed memory leaves room for lossy classes, for any number of lossless ones and any length of the path.
func TestDCILeavesRoomForLossyClasses(t *testing.T) {
	for _, length := range []string{"100m", "5km", "120km"} {
		t.Run(length, func(t *testing.T) {
			p := plansOf(t,
				strings.Replace(sites, "120km", length, 1)+"switch: {pfc: {lossless: [2, 3, 4]}, dci: {pfc: "+
					"{enabled: true}}}\n")[0]
			for port := range p.DCIPorts {
				d := p.Switches[port.Switch].Profile.DCIFor(&port.Attachment, p.MaxFrame())
				if left := d.Buffer - d.Guaranteed(); d.Classes != 3 || left < d.BDP/4+4*p.MaxFrame() {
					t.Errorf("%s: %v of %v left for lossy classes", length, left, d.Buffer)
				}
			}
		})
	}
}

// Patterns set what single switches have, and a pool is beside the shared buffer,
// which may be small.
func TestDCIOfOneSwitch(t *testing.T) {
	p := plansOf(t, sites+"switch: {buffer: 100KB}\nswitches: {s1: {dci: {buffer: 20MB, ecn: {pmax: 1}}}}\n")[0]
	if d := p.Switches[0].Profile.DCI; d != (profile.DCI{ECN: profile.DCIECN{Enabled: true, Pmax: 0.2}}) {
		t.Errorf("s0 has %+v", d)
	}
	want := profile.DCI{Buffer: 20 * unit.MB, ECN: profile.DCIECN{Enabled: true, Pmax: 1}}
	if d := p.Switches[1].Profile.DCI; d != want {
		t.Errorf("s1 has %+v", d)
	}
	for port := range p.DCIPorts {
		if far := (plan.End{Node: plan.NodeID(1 - port.Switch), Port: 1}); port.Port != 1 || port.Peer != far ||
			port.Path != &p.WANs[0] {
			t.Errorf("%+v", port)
		}
	}
}
