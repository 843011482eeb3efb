//go:build manual

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/rocelab/rocelab/internal/build"
)

// The command that writes the manual is only in builds with the tag manual, with which the packages are made
// (packaging/pages.go): other builds do not need the packages that it links.
func init() { tagged = append(tagged, manualCommand) }

func manualCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "manual DIR",
		Short:  "Write the manual's pages into a folder",
		Long:   "manual writes a page for each command, of the date SOURCE_DATE_EPOCH (seconds since 1970).",
		Args:   usageArgs(cobra.ExactArgs(1)),
		Hidden: true,
		RunE: func(c *cobra.Command, args []string) error {
			epoch, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
			if err != nil {
				return usage(fmt.Errorf("SOURCE_DATE_EPOCH: %w", err))
			}
			return host(writeManual(c.Root(), args[0], time.Unix(epoch, 0).UTC()))
		},
	}
}

// writeManual writes the pages of a command, of those below it and of the help's topics.
func writeManual(c *cobra.Command, dir string, date time.Time) error {
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() || below.IsAdditionalHelpTopicCommand() {
			if err := writeManual(below, dir, date); err != nil {
				return err
			}
		}
	}
	c.DisableAutoGenTag = true
	c.Short, c.Long = plain(c.Short), plain(c.Long)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { f.Usage = plain(f.Usage) })
	f, err := os.Create(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
	if err != nil {
		return err
	}
	defer f.Close()
	header := &doc.GenManHeader{Date: &date, Source: "rocelab " + build.Read().Version, Manual: "rocelab"}
	if err := doc.GenMan(c, header, f); err != nil {
		return err
	}
	return f.Close()
}

// markup has the signs that Markdown, which cobra's pages go through, would interpret.
var markup = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`, "`", "\\`")

// plain escapes markup, but not in indented lines: these are printed as they are.
func plain(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "\t") {
			line = markup.Replace(line)
		}
		b.WriteString(line)
	}
	return b.String()
}
