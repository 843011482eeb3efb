package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenario files",
		Long:  `Print the JSON Schema of scenario files, for editors that complete and check YAML.`,
		Example: `  rocelab schema > rocelab.schema.json
  # first line of a scenario:
  # yaml-language-server: $schema=rocelab.schema.json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(scenario.Schema())
			return host(err)
		},
	}
}

func metricsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "metrics",
		Short:   "List the metrics that expectations may name",
		Example: "  rocelab metrics",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			t := newTable("metric", "meaning")
			t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, WidthMax: 50, WidthMaxEnforcer: text.WrapSoft}})
			for _, m := range result.Metrics() {
				t.AppendRow(table.Row{m.Name, m.Doc})
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), t.Render())
			return host(err)
		},
	}
}
