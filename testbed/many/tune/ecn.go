package tune

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// Leaf is one switch with hosts of one rate, the subject of a search for thresholds.
type Leaf struct {
	// Hosts is their number. Range 3 to 1024.
	Hosts int
	Rate  unit.BitRate
	// RTT is the base RTT between two hosts, for a full packet and its ACK without the
	// extensions of algorithms. It must leave the links a latency.
	RTT unit.Duration
	// MTU is the payload of a full packet. Range 256 B to 4096 B.
	MTU unit.Bytes
	// Chip and Buffer are the switch's: a chip's name, or "", and a buffer, or 0 for the
	// chip's.
	Chip   string
	Buffer unit.Bytes
	// Algorithm is the senders' algorithm, as a scenario names it.
	Algorithm string
}

// linkLatency is the latency of each link that gives the base RTT: two links each way.
func (l *Leaf) linkLatency() (unit.Duration, error) {
	data := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.WriteMiddle, PayloadLen: uint16(l.MTU)}
	ack := wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.Acknowledge}
	path := fabric.PathOf(fabric.Channel{Rate: l.Rate}, fabric.Channel{Rate: l.Rate})
	within := ""
	if chip := profile.ChipNamed(l.Chip); chip != nil && chip.Latency.Value > 0 {
		path[1].Pipeline = chip.Latency.Value
		within = fmt.Sprintf(", with twice the %v of %s", chip.Latency.Value, l.Chip)
	}
	fixed := path.Delay(wire.Full.Bytes(&data), wire.Full) + path.Delay(wire.Full.Bytes(&ack), wire.Full)
	if least := fixed + 4*unit.Nanosecond; l.RTT < least {
		return 0, fmt.Errorf("a base RTT of %v is shorter than the time of two packets and two ACKs at %v, %v%s: "+
			"allowed is at least %v", l.RTT, l.Rate, fixed, within, least)
	}
	return (l.RTT - fixed) / 4, nil
}

// traffic is a pattern of traffic on a leaf.
type traffic struct{ name, entries string }

// patterns returns the patterns that a search sees, and the ones that it does not: incasts of different degrees, sizes
// and loads behind. Each moves about as many bytes as the receiver's port carries in the time of 64 MB at 400 Gb/s.
func (l *Leaf) patterns() (seen, unseen []traffic) {
	total := (64 * unit.MB).Scale(int64(l.Rate), int64(400*unit.Gbps))
	made := map[string]bool{}
	incast := func(degree int, share int64, load float64) (traffic, bool) {
		degree = min(degree, l.Hosts-1)
		size := total.Scale(share, 100*int64(degree))
		size = max(size-size%1000, 1000)
		t := traffic{
			name: fmt.Sprintf("incast of %d, %v each", degree, size),
			entries: fmt.Sprintf("  - {name: incast, kind: incast, senders: %d, receiver: h%d, size: %dB}\n",
				degree, l.Hosts-1, size),
		}
		if load > 0 {
			until := l.Rate.SerialTime(total).Scale(share, 100)
			t.name += fmt.Sprintf(" over a load of %g %%", load*100)
			t.entries += fmt.Sprintf("  - {name: behind, kind: poisson, load: %g, distribution: [[64KB, 100]], until: %dns}\n",
				load, max(1, until.Nanoseconds()))
		}
		fresh := !made[t.name]
		made[t.name] = true
		return t, fresh
	}
	for _, c := range []struct {
		degree int
		share  int64
		load   float64
		to     *[]traffic
	}{
		{2, 100, 0, &seen}, {4, 100, 0, &seen}, {16, 100, 0, &seen}, {l.Hosts - 1, 100, 0, &seen}, {8, 50, 0.3, &seen},
		{3, 100, 0, &unseen}, {8, 150, 0, &unseen}, {32, 75, 0, &unseen}, {12, 50, 0.2, &unseen},
	} {
		if t, fresh := incast(c.degree, c.share, c.load); fresh {
			*c.to = append(*c.to, t)
		}
	}
	return seen, unseen
}

// scenario returns the scenario of a leaf with the traffic of one of the patterns, without
// thresholds.
func (l *Leaf) scenario(t traffic) (string, error) {
	latency, err := l.linkLatency()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name: leaf\nalgorithm: %s\nmtu: %dB\n", l.Algorithm, l.MTU)
	fmt.Fprintf(&b, "topology: {kind: star, hosts: %d, rate: %dbps, latency: %dps}\n", l.Hosts, l.Rate, latency)
	b.WriteString("switch:\n")
	if l.Chip != "" {
		fmt.Fprintf(&b, "  profile: %s\n", l.Chip)
	}
	if l.Buffer > 0 {
		fmt.Fprintf(&b, "  buffer: %dB\n", l.Buffer)
	}
	b.WriteString("  ecn: {enabled: true}\n")
	fmt.Fprintf(&b, "run: {limit: 1s}\ntraffic:\n%s", t.entries)
	return b.String(), nil
}

// Patterns returns the patterns of a leaf that a search sees, and the ones that it does not. Maker makes the plans of a
// template.
func (l *Leaf) Patterns(check scenario.CheckAlgorithm,
	maker func(*scenario.Template) (*sweep.Maker, error)) (seen, unseen []*Pattern, err error) {
	a, b := l.patterns()
	for _, of := range []struct {
		from []traffic
		to   *[]*Pattern
	}{{a, &seen}, {b, &unseen}} {
		for _, t := range of.from {
			text, err := l.scenario(t)
			if err != nil {
				return nil, nil, err
			}
			parsed, err := scenario.Parse("leaf", []byte(text), check)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", t.name, err)
			}
			made, err := maker(parsed.Template())
			if err != nil {
				return nil, nil, err
			}
			*of.to = append(*of.to, &Pattern{Name: t.name, Maker: made})
		}
	}
	return seen, unseen, nil
}

// thresholds are the settings of a marking profile.
func thresholds(kmin, kmax, pmax, scaleRate string) []scenario.Setting {
	return []scenario.Setting{
		{Path: "switch.ecn.kmin", Text: kmin},
		{Path: "switch.ecn.kmax", Text: kmax},
		{Path: "switch.ecn.pmax", Text: pmax},
		{Path: "switch.ecn.scale_rate", Text: scaleRate},
	}
}

// The axes of a search for thresholds.
var (
	kmins  = []float64{0.1, 0.25, 0.5, 1, 1.5, 2.5, 4, 6}
	ratios = []float64{1, 3, 10}
	pmaxs  = []float64{0.05, 0.2, 1}
)

// ECNAxes are the names of the axes, for tables.
var ECNAxes = []string{"Kmin", "Kmax/Kmin", "Pmax"}

// ECNCandidates are the thresholds that a search tries, in BDP, and the rules that it holds
// against them.
func ECNCandidates() (tried, known []Candidate) {
	for i, kmin := range kmins {
		for j, ratio := range ratios {
			for k, pmax := range pmaxs {
				low, high := fmt.Sprintf("%.4gbdp", kmin), fmt.Sprintf("%.4gbdp", kmin*ratio)
				tried = append(tried, Candidate{
					Name:     fmt.Sprintf("%s to %s, pmax %g", low, high, pmax),
					Settings: thresholds(low, high, fmt.Sprint(pmax), "100Gbps"),
					Place:    []int{i, j, k},
				})
			}
		}
	}
	for _, rule := range []struct{ name, kmin, kmax, pmax, scaleRate string }{
		{"the 1.5 BDP rule, Kmax 3 Kmin", "1.5bdp", "4.5bdp", "0.2", "100Gbps"},
		{"DCQCN paper, from 40 Gb/s", "5KB", "200KB", "0.01", "40Gbps"},
		{"NVIDIA's RoCE default", "150KB", "1500KB", "1", "0bps"},
		{"SONiC's example", "184320B", "184320B", "1", "0bps"},
		{"public RDMA simulator, from 100 Gb/s", "400KB", "1600KB", "0.2", "100Gbps"},
	} {
		settings := thresholds(rule.kmin, rule.kmax, rule.pmax, rule.scaleRate)
		known = append(known, Candidate{Name: rule.name, Settings: settings})
	}
	return tried, known
}

// ramp is the time in which a queue grows from Kmin to Kmax if in flows in and out flows out: (Kmax - Kmin) / (in -
// out), which is 2 Kmin / (in - out) if Kmax is 3 Kmin. 0 if in is not above out.
func ramp(kmin, kmax unit.Bytes, in, out unit.BitRate) unit.Duration {
	if in <= out {
		return 0
	}
	return (in - out).SerialTime(kmax - kmin)
}

// pauseAt is the length up to which the egress queue of a port grows before PFC pauses the ports that fill it, if k
// ingress ports share the work equally: k times the limit of each under the dynamic threshold, with nothing else in the
// buffer,
//
//	k (reserve + alpha B / (1 + k alpha)), B = buffer - headroom and reserve of all ports
//
// (Choudhury and Hahne, 1998). 0 if no class is lossless.
func pauseAt(planned *plan.Plan, sw, k int) unit.Bytes {
	s := &planned.Switches[sw].Profile
	node := planned.Node(planned.SwitchNode(sw))
	classes := 0
	for _, on := range s.PFC.Lossless {
		if on && s.PFC.Enabled {
			classes++
		}
	}
	if classes == 0 {
		return 0
	}
	free, alpha := s.Buffer, 0.0
	for port := range node.Links {
		a := planned.AttachmentAt(&node, port)
		if a.DCI {
			continue
		}
		free -= unit.Bytes(classes) * (s.Reserve + s.OfPort(port).HeadroomFor(&a, planned.MaxFrame()))
		if own := s.OfPort(port).AlphaAt(a.Rx.Rate); alpha == 0 || own < alpha {
			alpha = own
		}
	}
	share := alpha / (1 + float64(k)*alpha)
	return unit.Bytes(k) * (s.Reserve + unit.Whole[unit.Bytes](share*float64(max(0, free))))
}

// Check returns the faults of a leaf.
func (l *Leaf) Check() error {
	switch {
	case l.Hosts < 3 || l.Hosts > 1024:
		return fmt.Errorf("%d hosts: allowed are 3 to 1024", l.Hosts)
	case l.Rate < unit.Gbps || l.Rate > 100*unit.Tbps:
		return fmt.Errorf("a rate of %v: allowed is 1Gbps to 100Tbps", l.Rate)
	case l.MTU < 256 || l.MTU > 4096:
		return fmt.Errorf("packets of %v: allowed are 256B to 4096B", l.MTU)
	case l.Chip != "" && profile.ChipNamed(l.Chip) == nil:
		return fmt.Errorf("no chip %q: allowed are %s", l.Chip, strings.Join(profile.ChipNames(), ", "))
	}
	_, err := l.linkLatency()
	return err
}
