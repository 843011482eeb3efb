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
	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/emulator/textfile"
	"github.com/rocelab/rocelab/testbed/look/page"
)

func importCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "import",
		Short: "Make a scenario of what real devices are configured with",
		Long: `Make a scenario of the configuration of a real switch or NIC, and say of every
key of it what became of it: it was taken, or approximated, with the number before
and after, or it has no counterpart. rocelab export goes the other way.`,
		Example: `  rocelab import sonic config_db.json -o leaf.yaml
  rocelab import mlxconfig nic.txt -o nic.yaml`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(importSonicCommand(), importMLXConfigCommand())
	return c
}

func importSonicCommand() *cobra.Command {
	var to converted
	c := &cobra.Command{
		Use:   "sonic CONFIG_DB",
		Short: "Make a scenario of a SONiC switch's config_db.json",
		Long: `Make a scenario of the config_db.json of a SONiC switch with one chip: the switch
with its thresholds, buffers, queues, maps and watchdog, and a host at each port
that is up. It has an incast as its traffic, so that it runs at once. What became
of each key is said with its path in the file, as "config apply-patch" of SONiC
writes it; keys that differ in port and number alone share a line.

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
			imported, err := sonic.Import(name, text)
			if err != nil {
				return usage(err)
			}
			return to.write(c, imported.Scenario, imported.Lines)
		},
	}
	to.add(c, "scenario")
	c.ValidArgsFunction = first(jsonFiles)
	return c
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

// converted says where what was converted goes.
type converted struct {
	out    string
	format page.Format
	// nothing is said where there are no lines.
	nothing string
}

func (to *converted) add(c *cobra.Command, what string) {
	c.Flags().StringVarP(&to.out, "output", "o", "-", what+" file to write; - for standard output")
	formatFlag(c, &to.format)
}

// write writes a text, and what became of each key.
func (to *converted) write(c *cobra.Command, text []byte, lines []conversion.Line) error {
	said := c.OutOrStdout()
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

// writeTo writes a text to the file, and what became of each key to a writer.
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

// lines prints what became of each key.
func (to *converted) lines(said io.Writer, lines []conversion.Line) error {
	if lines == nil {
		lines = []conversion.Line{}
	}
	return printText(said, to.format, "import", "Imported settings", lines, func(w io.Writer) error {
		return printConversion(w, lines, to.nothing)
	})
}

// printConversion prints lines, those that are alike as one, and how many there are of each verdict.
func printConversion(w io.Writer, lines []conversion.Line, nothing string) error {
	const values, ports = 4, 8
	p, b, count := pageOf(w), strings.Builder{}, map[conversion.Verdict]int{}
	var others []string
	for _, g := range conversion.Groups(lines) {
		count[g.Verdict] += len(g.Lines)
		if g.Note == mlxconfig.Other {
			others = append(others, g.Path)
			continue
		}
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
		fmt.Fprintln(&b, p.Fold(line, 15))
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
