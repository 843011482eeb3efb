package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/doctor"
)

func doctorCommand(code *int) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether this host can carry the testbed",
		Long: `Say for each thing that the testbed needs (run --on veth, deploy) whether this
host has it, and if not, the remedy. Warnings and what is optional do not count
against it. Nothing is changed and nothing left behind. Exit code 0 if everything
required is there, 4 if not.`,
		Example: `  sudo rocelab doctor
  rocelab doctor --format json | jq '.[] | select(.status == "missing")'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			if format != "table" && format != "json" {
				return usage(fmt.Errorf("%q is no format: allowed are table, json", format))
			}
			findings := doctor.Examine(c.Context())
			if c.Context().Err() != nil {
				return errInterrupted
			}
			if doctor.Lack(findings) != nil {
				*code = result.ExitHost
			}
			if format == "json" {
				return writeJSON(c.OutOrStdout(), findings)
			}
			return printFindings(c.OutOrStdout(), findings)
		},
	}
	formatFlag(c, &format, "table, json")
	return c
}

// printFindings prints the verdict and a table, with the remedies below what
// they cure.
func printFindings(w io.Writer, findings []doctor.Finding) error {
	const width = 56
	t := newTable("", "what", "seen")
	var missing []string
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 1, Align: text.AlignLeft}})
	for _, f := range findings {
		seen := text.WrapSoft(f.Detail, width)
		if f.Remedy != "" {
			seen += "\n" + text.WrapSoft("remedy: "+f.Remedy, width)
		}
		t.AppendRow(table.Row{f.Status, f.Name, seen})
		if f.Status == doctor.Missing {
			missing = append(missing, f.Name)
		}
	}
	verdict := "this host can carry the testbed"
	if missing != nil {
		verdict = "this host cannot carry the testbed; it lacks: " + strings.Join(missing, ", ")
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", verdict, t.Render())
	return host(err)
}
