package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/conversion"
	"github.com/rocelab/rocelab/emulator/mlxconfig"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/internal/textfile"
	"github.com/rocelab/rocelab/testbed/look/page"
)

func importCommand() *cobra.Command {
	var fabric fabricFlags
	c := &cobra.Command{
		Use:   "import [CONFIG_DB]... --links LIST",
		Short: "Make a scenario from the configuration of real devices",
		Long: `Make a scenario from the configuration of a real switch or NIC, and report for every
key whether it was taken, approximated, with the number before and after, or has no
counterpart. rocelab export goes the other way.

With --links several switches become one scenario: the config_db.json of each, the
list of the links between them and to hosts, and with --mlxconfig the settings of
hosts' NICs. A line of the list is leaf0,Ethernet0,spine0,Ethernet4, followed by the
length if it is known; a node without a configuration is a host. Both ends of a link
must be listed, with the same speed.`,
		Example: `  rocelab import sonic config_db.json -o leaf.yaml
  rocelab import mlxconfig nic.txt -o nic.yaml
  rocelab import leaf0.json leaf1.json spine0.json --links links.csv --mlxconfig host0.txt -o fabric.yaml`,
		Args: fabric.args,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return fabric.run(c, args)
		},
	}
	fabric.add(c)
	c.AddCommand(importSonicCommand(), importMLXConfigCommand())
	return c
}

func importSonicCommand() *cobra.Command {
	var to converted
	chip := ""
	c := &cobra.Command{
		Use:   "sonic CONFIG_DB",
		Short: "Make a scenario from a SONiC switch's config_db.json",
		Long: `Make a scenario from the config_db.json of a SONiC switch with one chip: the switch
with its thresholds, buffers, queues, maps and watchdog, and a host at each port
that is up. Its traffic is an incast, so that it runs at once. The result for each key
is reported with its path in the file, as in "config apply-patch" of SONiC; keys that
only differ in port and number share a line. The three kinds of losses that change
results most come first, and a warning if the configuration allocates more memory
than the switch's chip has.

The scenario goes to standard output and the lines to standard error, or with -o
the scenario to a file and the lines to standard output. A file of the same name
is replaced.`,
		Example: `  rocelab import sonic config_db.json -o leaf.yaml
  rocelab run leaf.yaml
  rocelab import sonic config_db.json -o leaf.yaml --format csv > keys.csv
  ssh leaf12 sonic-cfggen -d --print-data | rocelab import sonic - -o leaf.yaml`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			name, text, err := readForeign(c, args[0], sonic.MaxSource)
			if err != nil {
				return err
			}
			if err := checkChip(chip); err != nil {
				return err
			}
			imported, err := sonic.ImportAs(name, text, chip)
			if err != nil {
				return usage(err)
			}
			to.warnings, to.losses = imported.Warnings, sonic.Losses(imported.Lines)
			return to.write(c, imported.Scenario, imported.Lines)
		},
	}
	to.add(c, "scenario")
	chipFlag(c, &chip)
	c.ValidArgsFunction = first(jsonFiles)
	return c
}

func chipFlag(c *cobra.Command, chip *string) {
	c.Flags().StringVar(chip, "chip", "",
		"the switch's chip, a word of docs/silicon.md (default that of its hwsku, if known)")
	c.RegisterFlagCompletionFunc("chip", words(profile.ChipNames()...))
}

func checkChip(chip string) error {
	if chip == "" || profile.ChipNamed(chip) != nil {
		return nil
	}
	return usage(fmt.Errorf("--chip %q: %s", chip, spelling.Hint(chip, profile.ChipNames(),
		"chips are "+strings.Join(profile.ChipNames(), ", "))))
}

func jsonFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// readForeign reads the configuration of a real device, and returns what messages call it.
func readForeign(c *cobra.Command, path string, most int64) (name string, text []byte, err error) {
	ctx := c.Context()
	if name = path; path == "-" {
		name = stdinName
		text, err = textfile.From(ctx, c.InOrStdin(), name, most)
	} else {
		text, err = textfile.Read(ctx, path, most)
	}
	if err != nil {
		return name, nil, interrupted(ctx, fmt.Errorf("read configuration: %w", err))
	}
	return name, text, nil
}

// converted describes the destination of a conversion.
type converted struct {
	out    string
	format page.Format
	// nothing is printed if there are no lines.
	nothing string
	// warnings and losses are printed first.
	warnings []string
	losses   []sonic.Loss
}

func (to *converted) add(c *cobra.Command, what string) {
	c.Flags().StringVarP(&to.out, "output", "o", "-", what+" file to write; - for standard output")
	formatFlag(c, &to.format)
}

// write writes a text, and the outcome of each key.
func (to *converted) write(c *cobra.Command, text []byte, lines []conversion.Line) error {
	said := c.OutOrStdout()
	if to.format != page.FormatTable {
		for _, warning := range to.warnings {
			fmt.Fprintln(c.ErrOrStderr(), "warning: "+warning)
		}
	}
	if to.out == "-" {
		said = c.ErrOrStderr()
		if _, err := c.OutOrStdout().Write(text); err != nil {
			return host(err)
		}
	} else if err := to.file(text); err != nil {
		return err
	}
	return to.lines(said, lines)
}

// writeTo writes a text to the file, and the outcome of each key to a writer.
func (to *converted) writeTo(said io.Writer, text []byte, lines []conversion.Line) error {
	if err := to.file(text); err != nil {
		return err
	}
	return to.lines(said, lines)
}

func (to *converted) file(text []byte) error {
	if err := inRunFolder(to.out); err != nil {
		return usage(err)
	}
	return host(os.WriteFile(to.out, text, 0o666))
}

// lines prints the outcome of each key.
func (to *converted) lines(said io.Writer, lines []conversion.Line) error {
	if lines == nil {
		lines = []conversion.Line{}
	}
	return printText(said, to.format, "import", "Imported settings", lines, func(w io.Writer) error {
		if err := to.first(w); err != nil {
			return err
		}
		return printConversion(w, lines, to.nothing)
	})
}

// first prints what changes results: warnings, and the losses with the largest effect.
func (to *converted) first(w io.Writer) error {
	p, b := pageOf(w), strings.Builder{}
	for _, warning := range to.warnings {
		fmt.Fprintln(&b, p.Fold("warning: "+warning, 9))
	}
	for i, loss := range to.losses {
		if i == 0 {
			fmt.Fprintln(&b, "losses that change results, the largest first:")
		}
		fmt.Fprintf(&b, "%d %s\n", i+1, loss.What)
		for _, g := range conversion.Groups(loss.Lines) {
			fmt.Fprintln(&b, p.Fold("  "+groupText(g), 17))
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return host(err)
}

// groupText is lines that are alike as one line.
func groupText(g *conversion.Group) string {
	const values, ports = 4, 8
	line := fmt.Sprintf("%-14s %s", g.Verdict, g.Path)
	if len(g.Lines) > 1 {
		line += fmt.Sprintf(" (%d keys)", len(g.Lines))
	}
	was, left := g.Values(values)
	if len(was) > 0 {
		line += ": " + strings.Join(was, "; ")
	}
	if left > 0 {
		line += fmt.Sprintf("; and %d more", left)
	}
	if ports, more := g.Ports(ports); g.Verdict == conversion.Approximated && len(ports) > 1 {
		line += " at " + strings.Join(ports, ", ")
		if more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
	}
	if g.Note != "" {
		line += " (" + g.Note + ")"
	}
	return line
}

// printConversion prints lines, similar ones as one, and the number of each verdict.
func printConversion(w io.Writer, lines []conversion.Line, nothing string) error {
	p, b, count := pageOf(w), strings.Builder{}, map[conversion.Verdict]int{}
	var others []string
	for _, g := range conversion.Groups(lines) {
		count[g.Verdict] += len(g.Lines)
		if g.Note == mlxconfig.Other {
			others = append(others, g.Path)
			continue
		}
		fmt.Fprintln(&b, p.Fold(groupText(g), 15))
	}
	if others != nil {
		fmt.Fprintln(&b, p.Fold(fmt.Sprintf("%-14s %s: %s", conversion.Absent, mlxconfig.Other,
			strings.Join(others, ", ")), 15))
	}
	if len(lines) == 0 {
		fmt.Fprintln(&b, cmp.Or(nothing, "every setting has its counterpart"))
		_, err := io.WriteString(w, b.String())
		return host(err)
	}
	changed := ""
	if n := count[conversion.Changed]; n > 0 {
		changed = fmt.Sprintf("%d changed, ", n)
	}
	keys := "keys"
	if len(lines) == 1 {
		keys = "key"
	}
	fmt.Fprintf(&b, "%d %s: %s%d taken, %d approximated, %d without a counterpart\n", len(lines), keys, changed,
		count[conversion.Taken], count[conversion.Approximated], count[conversion.Absent])
	_, err := io.WriteString(w, b.String())
	return host(err)
}
