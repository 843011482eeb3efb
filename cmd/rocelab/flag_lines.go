package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
