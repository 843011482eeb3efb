package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// formatFlag adds --format with the formats that a command has, by default all that a document has.
func formatFlag(c *cobra.Command, to *page.Format, has ...page.Format) {
	if *to = page.FormatTable; len(has) == 0 {
		has = page.Formats
	}
	c.Flags().Var(&formatValue{to, has}, "format", "output on stdout: "+formatNames(has))
	c.RegisterFlagCompletionFunc("format", words(strings.Split(formatNames(has), ", ")...))
}

// formatValue is a format of a command, refused if the command does not have it.
type formatValue struct {
	format *page.Format
	has    []page.Format
}

func (v *formatValue) String() string {
	if v.format == nil {
		return ""
	}
	return string(*v.format)
}

func (v *formatValue) Type() string { return "format" }

func (v *formatValue) Set(text string) (err error) {
	*v.format, err = page.ParseFormat(text, v.has...)
	return err
}

func formatNames(list []page.Format) string {
	var names []string
	for _, format := range list {
		names = append(names, string(format))
	}
	return strings.Join(names, ", ")
}

// printAs prints a document; JSON and CSV have the record.
func printAs(w io.Writer, format page.Format, record any, d *page.Document) error {
	d.Record = record
	return host(d.Print(w, format, pageOf(w)))
}

// printText is printAs of text that print lays out for a page; kind is the command.
func printText(w io.Writer, format page.Format, kind, title string, record any, print func(io.Writer) error) error {
	if format == page.FormatTable {
		return print(w)
	}
	var text strings.Builder
	if err := print(&text); err != nil {
		return err
	}
	d := &page.Document{Title: title, Kind: kind, Blocks: []page.Block{page.Listing(text.String())}}
	return printAs(w, format, record, d)
}

func writeJSON(w io.Writer, value any) error { return host(page.WriteJSON(w, value)) }
