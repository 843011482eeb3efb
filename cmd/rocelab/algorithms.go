package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/shipped"
)

func algorithmsCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "algorithms [NAME]",
		Short: "List the shipped algorithms, or one's parameters",
		Example: `  rocelab algorithms
  rocelab algorithms dcqcn
  rocelab algorithms pc4 --format json`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var list []cc.Description
			for _, a := range shipped.All() {
				list = append(list, a.Describe())
			}
			if len(args) == 1 {
				a, ok := shipped.Find(args[0])
				if !ok {
					return usage(unknownAlgorithm(args[0]))
				}
				list = []cc.Description{a.Describe()}
			}
			switch {
			case format == "json":
				return writeJSON(c.OutOrStdout(), describe(list))
			case format != "table":
				return usage(fmt.Errorf("%q is no format: allowed are table, json", format))
			case len(args) == 1:
				return printParams(c.OutOrStdout(), list[0])
			}
			return printAlgorithms(c.OutOrStdout(), list)
		},
	}
	formatFlag(c, &format, "table, json")
	return c
}

func unknownAlgorithm(name string) error {
	var names []string
	for _, a := range shipped.All() {
		names = append(names, a.Describe().Name)
	}
	return fmt.Errorf("there is no algorithm %q: shipped are %s", name, strings.Join(names, ", "))
}

func newTable(header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(header)
	return t
}

func printAlgorithms(w io.Writer, list []cc.Description) error {
	t := newTable("name", "version", "summary", "parameters")
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 3, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft}})
	for _, d := range list {
		t.AppendRow(table.Row{d.Name, d.Version, d.Summary, len(d.Params)})
	}
	_, err := fmt.Fprintf(w, "%s\n`rocelab algorithms NAME` explains the parameters of one.\n", t.Render())
	return host(err)
}

// printParams lists the parameters one below the other: what they mean is
// prose, and prose has no room in a table of a terminal's width.
func printParams(w io.Writer, d cc.Description) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n%s\n%s\n", d.Name, d.Version, indent(d.Summary), indent("["+d.Source+"]"))
	for _, p := range d.Params {
		fmt.Fprintf(&b, "\n%s: %s", p.Name, valuesOf(p))
		if p.Default != "" {
			b.WriteString("; default " + p.Default)
		}
		note := p.Doc
		if p.Source != "" {
			note += " [" + p.Source + "]"
		}
		b.WriteString("\n" + indent(note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return host(err)
}

// indent wraps prose to the width of a terminal.
func indent(prose string) string {
	var lines []string
	for line := range strings.Lines(text.WrapSoft(prose, 72)) {
		lines = append(lines, "    "+strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

// valuesOf says what a parameter may be.
func valuesOf(p cc.Param) string {
	if p.Kind == cc.KindChoice {
		return strings.Join(p.Choices, " | ")
	}
	if r := rangeOf(p); r != "" {
		return kindNames[p.Kind] + ", " + r
	}
	return kindNames[p.Kind]
}

// kindNames are the kinds with the units that a value is written in.
var kindNames = map[cc.ParamKind]string{cc.KindDuration: "duration (ps, ns, us, ms, s)", cc.KindRate: "rate (bps, Kbps, Mbps, Gbps)",
	cc.KindBytes: "size (B, KB, MB, KiB, MiB)", cc.KindNumber: "number", cc.KindChoice: "word", cc.KindSwitch: "true or false"}

func rangeOf(p cc.Param) string {
	switch {
	case p.Min != "" && p.Max != "":
		return p.Min + " to " + p.Max
	case p.Min != "":
		return "at least " + p.Min
	case p.Max != "":
		return "at most " + p.Max
	}
	return ""
}

// algorithmJSON is the layout of algorithms --format json.
type algorithmJSON struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Summary string      `json:"summary"`
	Source  string      `json:"source"`
	Params  []paramJSON `json:"parameters"`
}

type paramJSON struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Default string   `json:"default"`
	Min     string   `json:"min,omitempty"`
	Max     string   `json:"max,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Doc     string   `json:"doc"`
	Source  string   `json:"source,omitempty"`
}

func describe(list []cc.Description) (out []algorithmJSON) {
	for _, d := range list {
		a := algorithmJSON{d.Name, d.Version, d.Summary, d.Source, []paramJSON{}}
		for _, p := range d.Params {
			a.Params = append(a.Params, paramJSON{p.Name, kindNames[p.Kind], p.Default, p.Min, p.Max, p.Choices, p.Doc, p.Source})
		}
		out = append(out, a)
	}
	return out
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return host(e.Encode(v))
}
