package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/comparison"
)

// algorithmView has the parts that algorithm list and algorithm show share.
type algorithmView struct {
	format  page.Format
	plugins pluginFlags
}

func (f *algorithmView) add(c *cobra.Command) {
	f.plugins.addSearch(c)
	formatFlag(c, &f.format)
}

func listAlgorithmsCommand() *cobra.Command {
	f := &algorithmView{}
	c := &cobra.Command{
		Use:   "list",
		Short: "List the available algorithms",
		Long: `List the algorithms that scenarios and --algorithm can name: built-in ones, and
plugins, which are programs in one of the plugin folders. The plugin folders are
those given by --plugin-dir, those in $ROCELAB_PLUGINS (separated by colons), and
$XDG_DATA_HOME/rocelab/plugins or ~/.local/share/rocelab/plugins. Every executable
file in them is started and asked for its name.`,
		Example: `  rocelab algorithm list
  rocelab algorithm list --plugin-dir build --format json | jq -r '.[].name'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error { return f.list(c) },
	}
	f.add(c)
	return c
}

func showAlgorithmCommand() *cobra.Command {
	f := &algorithmView{}
	c := &cobra.Command{
		Use:   "show NAME|PROGRAM...",
		Short: "Show the parameters of an algorithm, with meaning, default and range",
		Long: `Describe an algorithm and its parameters: the meaning, default, range and source of
each. A program is named by its path, which contains a slash.`,
		Example: `  rocelab algorithm show dcqcn
  rocelab algorithm show ./build/cc-mine
  rocelab algorithm show pc4 --format json`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: f.show,
	}
	f.add(c)
	return c
}

// list lists all algorithms. Its error may be about some of them only.
func (f *algorithmView) list(c *cobra.Command) error {
	return f.view(c, (*registry.Registry).List, algorithmsDocument)
}

// show shows the named algorithms.
func (f *algorithmView) show(c *cobra.Command, names []string) error {
	entries, err := comparison.ParseEntries(names)
	if err != nil {
		return usage(err)
	}
	named := func(r *registry.Registry) (list []registry.Entry, err error) {
		for _, e := range entries {
			if len(e.Params) > 0 {
				return nil, fmt.Errorf("algorithm %s: write only its name, %s", e.Text, e.Name)
			}
			entry, err := describe(r, e)
			if err != nil {
				return nil, err
			}
			list = append(list, entry)
		}
		return list, nil
	}
	return f.view(c, named, paramsDocument)
}

// describe finds an algorithm by its name or by its program.
func describe(r *registry.Registry, named comparison.Entry) (entry registry.Entry, err error) {
	algorithm, err := named.Find(r)
	if err != nil {
		return entry, err
	}
	entry.Description = algorithm.Describe()
	entry.Program, err = r.Program(entry.Name)
	return entry, err
}

// view prints what find finds.
func (f *algorithmView) view(c *cobra.Command, find func(*registry.Registry) ([]registry.Entry, error),
	document func([]registry.Entry) *page.Document) (err error) {
	r, err := f.plugins.registry()
	if err != nil {
		return usage(err)
	}
	defer func() { err = errors.Join(err, f.plugins.close()) }()
	list, wrong := find(r)
	if len(list) > 0 || wrong == nil {
		err = printAs(c.OutOrStdout(), f.format, algorithmsJSON(list), document(list))
	}
	return errors.Join(err, usage(wrong))
}

// origin returns where an algorithm comes from.
func origin(entry registry.Entry) string {
	if entry.Program.Path == "" {
		return "built in"
	}
	return terminal.Line(entry.Program.String())
}

func algorithmsDocument(list []registry.Entry) *page.Document {
	t := page.New("name", "version", "summary", "parameters", "from")
	for _, d := range list {
		t.Add(d.Name, d.Version, d.Summary, len(d.Params), origin(d))
	}
	t.Columns[2].Prose = true
	d := &page.Document{Title: "Algorithms", Kind: "algorithm list", Blocks: []page.Block{t}}
	d.Say("`rocelab algorithm show NAME` explains the parameters of one.")
	return d
}

// paramsDocument lists the parameters one below the other: what they mean is
// prose, and prose has no room in a table of a terminal's width.
func paramsDocument(list []registry.Entry) *page.Document {
	var out strings.Builder
	for i, entry := range list {
		if i > 0 {
			out.WriteString("\n")
		}
		writeParams(&out, entry)
	}
	return &page.Document{Title: "Parameters", Kind: "algorithm show", Blocks: []page.Block{page.Listing(out.String())}}
}

func writeParams(out *strings.Builder, entry registry.Entry) {
	fmt.Fprintf(out, "%s %s, %s\n%s\n%s\n", entry.Name, entry.Version, origin(entry), indent(entry.Summary),
		indent("["+entry.Source+"]"))
	for _, p := range entry.Params {
		head := p.Name + ": " + valuesOf(p)
		if p.Default != "" {
			head += "; default " + p.Default
		}
		out.WriteString("\n" + text.WrapSoft(head, 80))
		note := p.Doc
		if p.Source != "" {
			note += " [" + p.Source + "]"
		}
		out.WriteString("\n" + indent(note) + "\n")
	}
	for _, v := range entry.Values {
		fmt.Fprintf(out, "\nrecorded value %s", v.Name)
		if v.Unit != "" {
			out.WriteString(", " + v.Unit)
		}
		out.WriteString("\n" + indent(v.Doc) + "\n")
	}
}

// indent wraps prose to the width of a terminal.
func indent(prose string) string {
	var lines []string
	for line := range strings.Lines(text.WrapSoft(prose, 72)) {
		lines = append(lines, "    "+strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

// valuesOf describes the values that a parameter takes.
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
var kindNames = map[cc.ParamKind]string{
	cc.KindDuration: "duration (" + strings.Join(unit.Durations.Units(), ", ") + ")",
	cc.KindRate:     "rate (" + strings.Join(unit.Rates.Units(), ", ") + ")",
	cc.KindBytes:    "size (" + strings.Join(unit.Sizes.Units(), ", ") + ")",
	cc.KindNumber:   "number",
	cc.KindChoice:   "word",
	cc.KindSwitch:   "true or false",
}

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

// algorithmJSON is the layout of algorithm list and show --format json.
type algorithmJSON struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Summary string      `json:"summary"`
	Source  string      `json:"source"`
	Path    string      `json:"path,omitempty"` // of a plugin
	Params  []paramJSON `json:"parameters"`
	Values  []valueJSON `json:"values,omitempty"`
}

type valueJSON struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	Doc  string `json:"doc"`
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

func algorithmsJSON(list []registry.Entry) (out []algorithmJSON) {
	for _, d := range list {
		a := algorithmJSON{d.Name, d.Version, d.Summary, d.Source, d.Program.String(), []paramJSON{}, nil}
		for _, p := range d.Params {
			a.Params = append(a.Params, paramJSON{p.Name, kindNames[p.Kind], p.Default, p.Min, p.Max,
				p.Choices, p.Doc, p.Source})
		}
		for _, v := range d.Values {
			a.Values = append(a.Values, valueJSON(v))
		}
		out = append(out, a)
	}
	return out
}
