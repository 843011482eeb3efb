package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/registry"
)

func algorithmsCommand() *cobra.Command {
	var format string
	var plugins pluginFlags
	c := &cobra.Command{
		Use:   "algorithms [NAME]",
		Short: "List the algorithms that are there, or one's parameters",
		Long: `List the algorithms that scenarios can name: those that are built in, and those
that are plugins, programs in one of the plugin folders. These are the folders
given by --plugin-dir, those in $ROCELAB_PLUGINS (separated by colons), and
$XDG_DATA_HOME/rocelab/plugins or ~/.local/share/rocelab/plugins. Every executable
file there is started to ask its name.`,
		Example: `  rocelab algorithms
  rocelab algorithms dcqcn
  rocelab algorithms pc4 --format json`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if format != "table" && format != "json" {
				return usage(fmt.Errorf("%q is no format: allowed are table, json", format))
			}
			r, err := plugins.registry()
			if err != nil {
				return usage(err)
			}
			defer func() { err = errors.Join(err, plugins.close()) }()
			list, wrong := algorithmList(r, args)
			switch {
			case len(list) == 0 && wrong != nil:
			case format == "json":
				err = writeJSON(c.OutOrStdout(), describe(list))
			case len(args) == 1:
				err = printParams(c.OutOrStdout(), list[0])
			default:
				err = printAlgorithms(c.OutOrStdout(), list)
			}
			return errors.Join(err, usage(wrong))
		},
	}
	plugins.addSearch(c)
	formatFlag(c, &format, "table, json")
	return c
}

// algorithmList returns all algorithms, or the one that is named. The error
// may be about some of them only.
func algorithmList(algorithms *registry.Registry, names []string) ([]registry.Entry, error) {
	if len(names) == 0 {
		return algorithms.List()
	}
	a, err := algorithms.Lookup(names[0])
	if err != nil {
		return nil, err
	}
	path, err := algorithms.Path(names[0])
	return []registry.Entry{{Description: a.Describe(), Path: path}}, err
}

// origin says where an algorithm is.
func origin(entry registry.Entry) string {
	if entry.Path == "" {
		return "built in"
	}
	return entry.Path
}

func newTable(header ...any) table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(header)
	return t
}

func printAlgorithms(w io.Writer, list []registry.Entry) error {
	t := newTable("name", "version", "summary", "parameters", "from")
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 3, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft}})
	for _, d := range list {
		t.AppendRow(table.Row{d.Name, d.Version, d.Summary, len(d.Params), origin(d)})
	}
	_, err := fmt.Fprintf(w, "%s\n`rocelab algorithms NAME` explains the parameters of one.\n", t.Render())
	return host(err)
}

// printParams lists the parameters one below the other: what they mean is
// prose, and prose has no room in a table of a terminal's width.
func printParams(w io.Writer, entry registry.Entry) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s, %s\n%s\n%s\n", entry.Name, entry.Version, origin(entry), indent(entry.Summary),
		indent("["+entry.Source+"]"))
	for _, p := range entry.Params {
		fmt.Fprintf(&out, "\n%s: %s", p.Name, valuesOf(p))
		if p.Default != "" {
			out.WriteString("; default " + p.Default)
		}
		note := p.Doc
		if p.Source != "" {
			note += " [" + p.Source + "]"
		}
		out.WriteString("\n" + indent(note) + "\n")
	}
	_, err := io.WriteString(w, out.String())
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
func valuesOf(param cc.Param) string {
	if param.Kind == cc.KindChoice && len(param.Choices) > 0 {
		return strings.Join(param.Choices, " | ")
	}
	if r := rangeOf(param); r != "" {
		return kindNames[param.Kind] + ", " + r
	}
	return kindNames[param.Kind]
}

// kindNames are the kinds with the units that a value is written in.
var kindNames = map[cc.ParamKind]string{cc.KindDuration: "duration (ps, ns, us, ms, s)",
	cc.KindRate:  "rate (bps, Kbps, Mbps, Gbps)",
	cc.KindBytes: "size (B, KB, MB, KiB, MiB)", cc.KindNumber: "number", cc.KindChoice: "word",
	cc.KindSwitch: "true or false"}

func rangeOf(param cc.Param) string {
	switch {
	case param.Min != "" && param.Max != "":
		return param.Min + " to " + param.Max
	case param.Min != "":
		return "at least " + param.Min
	case param.Max != "":
		return "at most " + param.Max
	}
	return ""
}

// algorithmJSON is the layout of algorithms --format json.
type algorithmJSON struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Summary string      `json:"summary"`
	Source  string      `json:"source"`
	Path    string      `json:"path,omitempty"` // of a plugin
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

func describe(list []registry.Entry) (out []algorithmJSON) {
	for _, d := range list {
		a := algorithmJSON{d.Name, d.Version, d.Summary, d.Source, d.Path, []paramJSON{}}
		for _, p := range d.Params {
			a.Params = append(a.Params, paramJSON{p.Name, kindNames[p.Kind], p.Default, p.Min, p.Max,
				p.Choices, p.Doc, p.Source})
		}
		out = append(out, a)
	}
	return out
}

func writeJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return host(e.Encode(value))
}
