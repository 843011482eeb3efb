package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/experiment"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/page"
)

func validateCommand() *cobra.Command {
	var flags scenarioFlags
	var format experiment.Format
	c := &cobra.Command{
		Use:   "validate SCENARIO",
		Short: "Check a scenario and show what follows from it",
		Long: `Check a scenario without running it, and show for each variant what follows from
it: base RTT, BDP and hops of the flows' paths, the headroom of lossless ports, the
thresholds of ports that mark, in bytes and in BDP, and the longest window in
which time may advance. Variants that agree in all of
this are shown together. Every problem of the file is shown with its line and
column.`,
		Example: `  rocelab validate specs/scenarios/incast.yaml
  rocelab validate incast.yaml --set topology.latency=50ns --format json`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, flags.plugins.close()) }()
			loaded, err := flags.load(args[0], "")
			if err != nil {
				return usage(err)
			}
			plans, err := loaded.Plans()
			if err != nil {
				return usage(err)
			}
			algorithms, err := flags.plugins.registry()
			if err != nil {
				return usage(err)
			}
			reports := []scenario.Report{}
			for _, p := range plans {
				reports = append(reports, analyse(p, algorithms.Find))
			}
			return printAs(c.OutOrStdout(), format, reports, func(w io.Writer) error {
				return printReports(w, loaded, reports)
			})
		},
	}
	flags.add(c)
	formatFlag(c, &format)
	return c
}

// analyse is the report of a plan, with what algorithms mean for it.
func analyse(plan *plan.Plan, algorithms model.Find) scenario.Report {
	r := scenario.Analyse(plan, model.Extensions(algorithms))
	r.Warnings = append(r.Warnings, warnDeaf(plan, algorithms)...)
	r.Bound = model.BoundOf(plan)
	return r
}

// printWarnings says what is worth knowing before a plan is run, but for what was said.
func printWarnings(to io.Writer, plan *plan.Plan, algorithms model.Find, said map[string]bool) {
	for _, w := range analyse(plan, algorithms).Warnings {
		if !said[w] {
			said[w] = true
			fmt.Fprintln(to, pageOf(to).Fold(fmt.Sprintf("warning: %s: %s", plan.Name, w), 4))
		}
	}
}

// warnDeaf warns of algorithms that do not hear the CNPs of switches, or the rates in them.
func warnDeaf(planned *plan.Plan, algorithms model.Find) (warnings []string) {
	sends := func(sw plan.Switch) bool { return sw.Profile.Proximal.Enabled && !sw.Profile.Proximal.Pause }
	if !slices.ContainsFunc(planned.Switches, sends) {
		return nil
	}
	for _, name := range model.IgnoresCNP(planned, algorithms) {
		warnings = append(warnings,
			fmt.Sprintf("proximal CNP is on, and %s hears no CNPs: those of switches do not slow it down", name))
	}
	if !slices.ContainsFunc(planned.Switches, func(sw plan.Switch) bool { return sends(sw) && sw.Profile.Proximal.Rate }) {
		return warnings
	}
	for _, deaf := range model.IgnoresRate(planned, algorithms) {
		nics := "1 NIC"
		if deaf.NICs > 1 {
			nics = fmt.Sprintf("%d NICs", deaf.NICs)
		}
		warnings = append(warnings, fmt.Sprintf("switches send rates in CNPs, of which %s at %s knows nothing: to it "+
			"each is one CNP in place of several", deaf.Name, nics))
	}
	return warnings
}

// printReports prints table after table, each once for all variants that agree
// in it.
func printReports(w io.Writer, loaded *scenario.Scenario, reports []scenario.Report) error {
	p, b := pageOf(w), strings.Builder{}
	runs := "1 run"
	if len(reports) > 1 {
		runs = fmt.Sprintf("%d runs", len(reports))
	}
	fmt.Fprintf(&b, "%s is valid: %s\n", loaded.Name, runs)
	parts := []func(page.Page, scenario.Report) string{
		sizes, paths, pinned, edges, longHauls, dciPorts, bound, headrooms, markings, chips, warnings,
	}
	for _, part := range parts {
		printPart(&b, p, part, reports)
	}
	_, err := io.WriteString(w, b.String())
	return host(err)
}

func printPart(out *strings.Builder, p page.Page, part func(page.Page, scenario.Report) string,
	reports []scenario.Report) {
	var texts []string
	names := map[string][]string{}
	for _, r := range reports {
		text := part(p, r)
		if text == "" {
			continue
		}
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], r.Name)
	}
	for _, text := range texts {
		fmt.Fprintf(out, "\n%s\n%s\n", p.Fold(strings.Join(names[text], ", "), 0), text)
	}
}

// sizes counts what the plan has; servers only where NICs share them.
func sizes(p page.Page, report scenario.Report) string {
	payload := report.Bytes.String()
	if report.Unsized > 0 {
		payload += fmt.Sprintf(" and %d flows without a size", report.Unsized)
	}
	head, row := []string{"switches"}, []any{report.Switches}
	if report.Fabric != "" {
		head, row = []string{"fabric", "switches"}, []any{report.Fabric, report.Switches}
	}
	if report.Servers != report.NICs {
		head, row = append(head, "servers"), append(row, report.Servers)
	}
	t := page.New(append(head, "NICs", "links", "flows", "payload", "window", "windows/ms")...)
	t.Add(append(row, report.NICs, report.Links, report.Flows, payload, report.Window, report.WindowsPerMs)...)
	return p.Render(t)
}

func paths(p page.Page, report scenario.Report) string {
	if len(report.Paths) == 0 {
		return ""
	}
	t := page.New("flows", "for example", "hops", "rate", "base RTT", "one way", "BDP")
	for _, path := range report.Paths {
		t.Add(path.Flows, path.Example, path.Hops, path.Rate, path.BaseRTT, path.OneWay, path.BDP)
	}
	return p.Render(t)
}

// pinned lists the flows whose paths the scenario chooses.
func pinned(p page.Page, report scenario.Report) string {
	if len(report.Pinned) == 0 {
		return ""
	}
	t := page.New("pinned flows", "for example", "path", "of", "by")
	for _, pin := range report.Pinned {
		t.Add(pin.Flows, pin.Example, pin.Number, pin.Of, pin.Switches)
	}
	return p.Render(t)
}

// edges lists where hosts and devices that are not part of the testbed take part.
func edges(p page.Page, report scenario.Report) string {
	if len(report.Edges) == 0 {
		return ""
	}
	t := page.New("edge", "interface", "address", "rate", "latency", "queue", "class")
	for _, e := range report.Edges {
		end, class := e.Interface, any(e.Class)
		switch {
		case end == "":
			end = "own stack"
		case e.Namespace != "":
			end += " in " + e.Namespace
		}
		if e.Class < 0 {
			class = "-"
		}
		t.Add(e.Name, end, e.Address, e.Rate, e.Latency, e.Queue, class)
	}
	return p.Render(t)
}

func longHauls(p page.Page, report scenario.Report) string {
	if len(report.LongHauls) == 0 {
		return ""
	}
	rows := page.New("long haul", "from", "to", "rate", "length", "one way", "back", "jitter", "mean loss", "changes",
		"in flight, both ways")
	for i := 0; i < len(report.LongHauls); i++ {
		haul := report.LongHauls[i]
		for first := haul; i+1 < len(report.LongHauls); i++ { // as one what differs in the name alone
			like := report.LongHauls[i+1]
			if like.Name = first.Name; like != first {
				break
			}
			haul.Name = first.Name + " to " + report.LongHauls[i+1].Name
		}
		length := haul.Length[0].String()
		if haul.Length[1] != haul.Length[0] {
			length += " / " + haul.Length[1].String()
		}
		rows.Add(haul.Name, haul.From, haul.To, haul.Rate, length, haul.Delay[0], haul.Delay[1], haul.Jitter,
			fmt.Sprintf("%.3g", haul.Loss), haul.Changes, haul.Fill)
	}
	return p.Render(rows)
}

func dciPorts(p page.Page, report scenario.Report) string {
	if len(report.DCIs) == 0 {
		return ""
	}
	columns := []string{"DCI ports", "such as", "rate", "RTT", "BDP", "buffer", "Kmin", "Kmax", "PFC", "XON", "XOFF"}
	proximal := slices.ContainsFunc(report.DCIs, func(d scenario.DCIClass) bool { return d.Trigger > 0 })
	if proximal {
		columns = append(columns, "proximal CNP above")
	}
	t := page.New(columns...)
	for _, d := range report.DCIs {
		var xon, xoff any = "-", "-"
		pfc := "off"
		if d.Classes > 0 {
			pfc, xon, xoff = "on", d.XON, d.XOFF
		}
		row := []any{d.Ports, d.Example, d.Rate, d.RTT, d.BDP, d.Buffer, d.Kmin, d.Kmax, pfc, xon, xoff}
		if proximal {
			row = append(row, d.Trigger)
		}
		t.Add(row...)
	}
	return p.Render(t)
}

// bound says how long an iteration takes at the least.
func bound(p page.Page, report scenario.Report) string {
	if report.Bound == nil {
		return ""
	}
	return p.Fold("bound: "+report.Bound.String(), 4)
}

func headrooms(p page.Page, report scenario.Report) string {
	if len(report.Headrooms) == 0 {
		return ""
	}
	t := page.New("lossless ports", "such as", "rate", "latency", "classes", "headroom", "reserve")
	for _, h := range report.Headrooms {
		example := h.Example
		if h.DCI {
			example += " (DCI)"
		}
		t.Add(h.Ports, example, h.Rate, h.Latency, h.Classes, h.Headroom, h.Reserve)
	}
	return p.Render(t)
}

// markings tells from which queue length on ports mark, in bytes and in bandwidth-delay
// products.
func markings(p page.Page, report scenario.Report) string {
	if len(report.Markings) == 0 {
		return ""
	}
	t := page.New("marking ports", "such as", "rate", "class", "Kmin", "Kmax", "Pmax", "base RTT", "Kmin / BDP",
		"Kmax / BDP")
	for _, m := range report.Markings {
		share := func(threshold unit.Bytes) any {
			if m.BDP == 0 {
				return "-"
			}
			return fmt.Sprintf("%.3g", float64(threshold)/float64(m.BDP))
		}
		rtt := any("-")
		if m.BaseRTT > 0 {
			rtt = m.BaseRTT
		}
		t.Add(m.Ports, m.Example, m.Rate, m.Class, m.Kmin, m.Kmax, m.Pmax, rtt, share(m.Kmin), share(m.Kmax))
	}
	return p.Render(t)
}

// chips tells what the chips of switches have, and how good its source is.
func chips(p page.Page, report scenario.Report) string {
	if len(report.Chips) == 0 {
		return ""
	}
	t := page.New("switches", "such as", "chip", "figure", "value", "evidence")
	for _, c := range report.Chips {
		for i, f := range c.Figures {
			if i > 0 {
				t.Add("", "", "", f.Key, f.Value, f.Evidence)
				continue
			}
			t.Add(c.Switches, c.Example, c.Title, f.Key, f.Value, f.Evidence)
		}
	}
	return p.Render(t)
}

func warnings(p page.Page, report scenario.Report) string {
	var lines []string
	for _, warning := range report.Warnings {
		lines = append(lines, p.Fold("warning: "+warning, 4))
	}
	return strings.Join(lines, "\n")
}
