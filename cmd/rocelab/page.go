package main

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// pageOf returns the page of w: with the width of $COLUMNS, otherwise that of the terminal, otherwise page.FixedWidth.
func pageOf(w io.Writer) page.Page {
	p := page.Page{Width: page.FixedWidth, Colour: coloured(w), Plain: isTerminal(w) && plainTerminal(os.Getenv)}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		p.Width = columns
	} else if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			p.Width = columns
		}
	}
	return p
}

// plainTerminal reports whether by the environment the terminal shows only ASCII: a dumb one, or another character set
// than UTF-8. If the environment has nothing about it, terminals have UTF-8.
func plainTerminal(env func(string) string) bool {
	locale := strings.ToUpper(cmp.Or(env("LC_ALL"), env("LC_CTYPE"), env("LANG"), "UTF-8"))
	return env("TERM") == "dumb" || !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
}

// rowFlags choose the rows of a table of metrics.
type rowFlags struct {
	metrics []string
	wide    bool
}

func (f *rowFlags) add(c *cobra.Command, usual string) {
	c.Flags().StringSliceVar(&f.metrics, "metrics", nil, "rows of the table, joined by commas (default "+usual+")")
	c.Flags().BoolVar(&f.wide, "wide", false, "show all rows, including rows that are equal, zero or repeat another")
}

// wrapFlags makes the help of all commands wrap the texts of flags, for a page of w.
func wrapFlags(root *cobra.Command, w io.Writer) {
	const slop = 5 // by which pflag's last lines may be longer
	usual := root.UsageFunc()
	root.SetUsageFunc(func(c *cobra.Command) error {
		var b bytes.Buffer
		out := c.OutOrStderr()
		c.SetOut(&b)
		err := usual(c)
		c.SetOut(out)
		text := b.String()
		for _, flags := range []*pflag.FlagSet{c.LocalFlags(), c.InheritedFlags()} {
			if lines := flags.FlagUsages(); lines != "" {
				text = strings.Replace(text, strings.TrimRight(lines, "\n"),
					strings.TrimRight(flags.FlagUsagesWrapped(pageOf(w).Width-slop), "\n"), 1)
			}
		}
		if err == nil {
			_, err = io.WriteString(out, text)
		}
		return err
	})
}
