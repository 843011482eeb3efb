package main

import (
	"io"
	"os"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/rocelab/rocelab/testbed/page"
)

// pageOf is the page that w is: as wide as $COLUMNS says, otherwise as the
// terminal is, otherwise page.FixedWidth.
func pageOf(w io.Writer) page.Page {
	p := page.Page{Width: page.FixedWidth, Colour: coloured(w)}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		p.Width = columns
	} else if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			p.Width = columns
		}
	}
	return p
}

// proseColumn lets a column of prose have what others leave of the page.
func proseColumn(w io.Writer, number, others int) []table.ColumnConfig {
	width := max(20, pageOf(w).Width-others)
	return []table.ColumnConfig{{Number: number, WidthMax: width, WidthMaxEnforcer: text.WrapSoft}}
}

// rowFlags choose the rows of a table of metrics.
type rowFlags struct {
	metrics []string
	wide    bool
}

func (f *rowFlags) add(c *cobra.Command, usual string) {
	c.Flags().StringSliceVar(&f.metrics, "metrics", nil, "rows of the table, joined by commas (default "+usual+")")
	c.Flags().BoolVar(&f.wide, "wide", false, "show all rows, those too that are equal, zero or repeat another")
}
