package sonic

import (
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/mlxconfig"
	"github.com/rocelab/rocelab/emulator/scenario"
)

// hostNamed is mixed with a hostname.
func hostNamed(t testing.TB, name string) Text {
	t.Helper()
	return Text{name + ".json", []byte(strings.Replace(string(mixed(t)), `"leaf-7"`, `"`+name+`"`, 1))}
}

const cables = `node,port,node,port,length
leaf0,Ethernet0,h0,eth0
leaf0,Ethernet4,h1,eth0

# up
leaf0,Ethernet12,leaf1,Ethernet12
leaf1,Ethernet0,h2,eth0,5m
leaf1,Ethernet4,h2,eth1,5m
`

// Two switches, a list of links and settings of a server's NICs become one scenario, in which every port has the
// settings of its configuration, and each switch comes back onto its own file; only lengths of the list are changed.
func TestFabric(t *testing.T) {
	settings, err := mlxconfig.Import("h2.txt", []byte("RPG_AI_RATE_P1=7\nCNP_DSCP_P1=48\n"), 1)
	if err != nil {
		t.Fatal(err)
	}
	leaf0, leaf1 := hostNamed(t, "leaf0"), hostNamed(t, "leaf1")
	imported, err := ImportFabric(&Sources{
		Configs: []Text{leaf0, leaf1},
		Links:   Text{"links.csv", []byte(cables)},
		NICs: []NIC{{
			Name:   "h2.txt",
			Host:   "h2",
			Params: settings.Params,
			Keys:   settings.Keys,
			Lines:  settings.Lines,
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	read, err := scenario.Parse("fabric.yaml", imported.Scenario, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, imported.Scenario)
	}
	plans, err := read.Plans()
	if err != nil {
		t.Fatal(err)
	}
	p := plans[0]
	if len(p.Switches) != 2 || len(p.NICs) != 6 || len(p.Links) != 7 {
		t.Errorf("%d switches, %d NICs, %d links", len(p.Switches), len(p.NICs), len(p.Links))
	}
	for i := range p.Switches {
		s := &p.Switches[i]
		if !slices.Equal(s.PortNames, []string{"Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"}) {
			t.Errorf("%s has ports %v", s.Name, s.PortNames)
		}
		if first, second := s.Profile.OfPort(0), s.Profile.OfPort(1); !first.Strict[6] || second.Strict[6] ||
			!first.Watchdog.Enabled || second.Watchdog.Enabled || !second.ECN[3].Enabled || s.Profile.ECN[3].Enabled {
			t.Errorf("%s: %+v", s.Name, s.Profile.Own)
		}
	}
	rates := map[string]string{}
	for i := range p.Flows {
		rates[p.NICs[p.Flows[i].Src].Name] = p.Flows[i].Algorithm.Params["rpg_ai_rate"]
	}
	if rates["h2-eth0"] != "7Mbps" || rates["h2-eth1"] != "7Mbps" || rates["h0"] != "" || len(rates) != 5 {
		t.Errorf("rpg_ai_rate by sender: %v", rates)
	}
	for i, file := range []Text{leaf0, leaf1} {
		t.Run(file.Name, func(t *testing.T) {
			_, lines, err := Onto(file.Name, file.Text, p, i)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				byLength := strings.HasPrefix(l.Path, "/CABLE_LENGTH/") || strings.HasPrefix(l.Path, "/BUFFER_P")
				if l.Verdict != conversion.Changed || i == 0 || !byLength {
					t.Errorf("%s: %+v", file.Name, l)
				}
			}
		})
	}
	if memory, err := RecallOf(imported.Scenario, "leaf1"); err != nil || memory.Names["SCHEDULER|6"] != "scheduler.cnp" {
		t.Errorf("%+v, %v", memory, err)
	}
}

// What does not fit together is named with its file and line.
func TestFabricErrors(t *testing.T) {
	slower := hostNamed(t, "leaf1")
	slower.Text = []byte(strings.Replace(string(slower.Text), `"12,13,14,15", "mtu": "9100", "speed": "100000"`,
		`"12,13,14,15", "mtu": "9100", "speed": "400000"`, 1))
	down := hostNamed(t, "leaf1")
	down.Text = []byte(strings.Replace(string(down.Text), `"Ethernet12": {"admin_status": "up"`,
		`"Ethernet12": {"admin_status": "down"`, 1))
	twice := hostNamed(t, "leaf0")
	twice.Name = "copy.json"
	for _, c := range []struct {
		second Text
		links  string
		nics   []NIC
		want   string
	}{
		{twice, cables, nil, "copy.json:1:1: the switch is called leaf0, and so is that of leaf0.json"},
		{slower, cables, nil, "links.csv:6:1: leaf0 Ethernet12 has a speed of 100Gbps and leaf1 Ethernet12 one of 400Gbps"},
		{down, cables, nil, "links.csv:6:1: port Ethernet12 of leaf1 is down: a link needs both its ends up"},
		{hostNamed(t, "leaf1"), "leaf0,Ethernet1,h0,eth0", nil, `links.csv:1:1: leaf0 has no port "Ethernet1": did you mean`},
		{hostNamed(t, "leaf1"), "leaf0,Ethernet0,leaf2,Ethernet0", nil,
			"links.csv:1:1: there is no configuration of leaf2, although a link ends at its port Ethernet0: add " +
				"its config_db.json, or did you mean leaf"},
		{hostNamed(t, "leaf1"), "leaf0,Ethernet0,h0,eth0\nh1,eth0,leaf0,Ethernet0", nil,
			"links.csv:2:1: port Ethernet0 of leaf0 has a link already, in line 1"},
		{hostNamed(t, "leaf1"), "h0,eth0,h1,eth0", nil,
			"neither h0 nor h1 is a switch of the configurations: they are leaf0"},
		{hostNamed(t, "leaf1"), "leaf0,Ethernet0,h0,eth0\nleaf0,Ethernet4,h0,eth0", nil, `h0 has two links at port "eth0"`},
		{hostNamed(t, "leaf1"), "leaf0,Ethernet0,h0", nil, "has 3 fields: a link is node, port, node, port"},
		{hostNamed(t, "leaf1"), "leaf0,Ethernet0,h0,eth0,30", nil, `"30" is not a length of a cable`},
		{hostNamed(t, "leaf1"), "", nil, "links.csv:1:1: the list has no link"},
		{hostNamed(t, "leaf1"), cables, []NIC{{Name: "h9.txt", Host: "h9"}}, "h9.txt:1:1: there is no host h9"},
		{hostNamed(t, "leaf1"), cables, []NIC{{Name: "a.txt", Host: "h0"}, {Name: "b.txt", Host: "h0"}},
			"b.txt:1:1: host h0 has settings of a.txt already"},
		{Text{"x.json", []byte("{")}, cables, nil, "x.json:1:"},
	} {
		_, err := ImportFabric(&Sources{
			Configs: []Text{hostNamed(t, "leaf0"), c.second},
			Links:   Text{"links.csv", []byte(c.links)},
			NICs:    c.nics,
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.links, err, c.want)
		}
	}
}
