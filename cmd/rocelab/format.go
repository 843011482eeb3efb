package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/experiment"
)

// formats are what a command that prints a table prints it as.
var formats = []experiment.Format{experiment.FormatTable, experiment.FormatJSON, experiment.FormatCSV}

// formatFlag adds --format with the formats that a command has.
func formatFlag(c *cobra.Command, to *experiment.Format, has ...experiment.Format) {
	if *to = experiment.FormatTable; len(has) == 0 {
		has = formats
	}
	c.Flags().Var(&formatValue{to, has}, "format", "output on stdout: "+formatNames(has))
	c.RegisterFlagCompletionFunc("format", words(strings.Split(formatNames(has), ", ")...))
}

// formatValue is a format of a command, refused where it has it not.
type formatValue struct {
	format *experiment.Format
	has    []experiment.Format
}

func (v *formatValue) String() string {
	if v.format == nil {
		return ""
	}
	return string(*v.format)
}

func (v *formatValue) Type() string { return "format" }

func (v *formatValue) Set(text string) (err error) {
	*v.format, err = experiment.ParseFormat(text, v.has...)
	return err
}

func formatNames(list []experiment.Format) string {
	var names []string
	for _, format := range list {
		names = append(names, string(format))
	}
	return strings.Join(names, ", ")
}

// printAs prints a value as JSON, or as CSV with the same names, or as the table
// that print makes of it.
func printAs(w io.Writer, format experiment.Format, value any, print func(io.Writer) error) error {
	switch format {
	case experiment.FormatJSON:
		return writeJSON(w, value)
	case experiment.FormatCSV:
		return host(writeCSV(w, value))
	}
	return print(w)
}

func writeJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return host(e.Encode(value))
}

// countOf is a number of things in words: "1 run", "2 runs".
func countOf(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
