package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/look/report"
	"github.com/rocelab/rocelab/testbed/look/report/paper"
)

func plotCommand() *cobra.Command {
	var out, port string
	var kinds []string
	for _, p := range report.Plots {
		kinds = append(kinds, fmt.Sprintf("  %-12s %s", p.Name, p.About))
	}
	c := &cobra.Command{
		Use:   "plot PICTURE RUN...",
		Short: "Draw a picture of run folders for a paper: SVG, PNG or PDF",
		Long: `Draw one picture of one or several run folders into a file whose ending is its
kind: .svg, .png (288 pixels an inch) or .pdf (vectors, with text that can be searched).
The pictures are

` + strings.Join(kinds, "\n") + `

Colours can be distinguished by all readers, lines have dashes for print in black and
white, and the ground is white. The same folders give the same bytes. A file of the
same name is replaced.`,
		Example: `  rocelab plot fct rocelab-runs/incast-1 -o fct.pdf
  rocelab plot queue rocelab-runs/incast-1 --port s0:16 -o queue.svg
  rocelab plot attribution before after -o why.png`,
		Args:              usageArgs(cobra.MinimumNArgs(2)),
		ValidArgsFunction: completePlots,
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usage(fmt.Errorf("-o: give the name of the file to write, ending in "+
					"%s", strings.Join(paper.Endings, ", ")))
			}
			if port != "" && args[0] != "queue" {
				return usage(fmt.Errorf("--port is only for the picture queue, and this is %s", args[0]))
			}
			folders, err := openRuns(args[1:])
			if err != nil {
				return usage(err)
			}
			drawn, err := report.Plot(args[0], port, folders)
			if err != nil {
				return usage(err)
			}
			file, err := paper.File(drawn, out)
			if err != nil {
				return usage(fmt.Errorf("-o: %w", err))
			}
			if err := inRunFolder(out); err != nil {
				return usage(err)
			}
			if err := writePage(out, file); err != nil {
				return host(err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", out, drawn.Title)
			return host(err)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "file to write, ending in .svg, .png or .pdf")
	c.Flags().StringVar(&port, "port", "", "port of the queue, SWITCH:PORT (default that of the longest queue)")
	return c
}

// completePlots completes the name of a picture, then folders.
func completePlots(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	var names []string
	for _, p := range report.Plots {
		names = append(names, cobra.CompletionWithDesc(p.Name, p.About))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
