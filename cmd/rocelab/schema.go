package main

import (
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/look/page"
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
	var format page.Format
	c := &cobra.Command{
		Use:   "metrics",
		Short: "List the metrics that expectations and --metrics may name",
		Example: `  rocelab metrics
  rocelab metrics --format csv`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			var list []metricJSON
			for _, m := range result.Metrics() {
				list = append(list, metricJSON{m.Name, m.Better.String(), m.Doc})
			}
			return printAs(c.OutOrStdout(), format, list, metricsDocument(list))
		},
	}
	formatFlag(c, &format)
	return c
}

// metricJSON is a metric in metrics --format json.
type metricJSON struct {
	Metric  string `json:"metric"`
	Better  string `json:"better"`
	Meaning string `json:"meaning"`
}

func metricsDocument(list []metricJSON) *page.Document {
	t := page.New("metric", "better", "meaning")
	for _, m := range list {
		t.Add(m.Metric, m.Better, m.Meaning)
	}
	t.Columns[2].Prose = true
	return &page.Document{Title: "Metrics", Kind: "metrics", Blocks: []page.Block{t}}
}
