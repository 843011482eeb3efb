package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/model"
)

// version is the command's report of this program.
type version struct {
	build.Info
	// Models is the version of the models.
	Models int `json:"models"`
}

func versionCommand() *cobra.Command {
	var modules bool
	var format page.Format
	c := &cobra.Command{
		Use:   "version",
		Short: "Print version and build of this program",
		Long: `Print the version and commit of this program, as far as known, its build, and the
versions of its models and of Go.

The build is the Go build ID, which is the same for builds with -trimpath from any
folder, as long as source, Go and flags agree; without one it is the SHA-256 of
the program. The version of the models does not change with a rebuild: programs
with the same version give the same trace for the same scenario and seed.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			this := version{build.Read(), model.Version}
			list := this.Modules
			if !modules {
				this.Modules = nil
			}
			out := c.OutOrStdout()
			if format != page.FormatTable {
				return printAs(out, format, this, this.document())
			}
			if err := printVersion(out); err != nil || !modules {
				return err
			}
			_, err := fmt.Fprintln(out, strings.Join(list, "\n"))
			return host(err)
		},
	}
	c.Flags().BoolVar(&modules, "modules", false, "also list the modules that it was built from")
	formatFlag(c, &format)
	return c
}

// facts are the parts of the version, by their names.
func (v *version) facts() (list [][2]string) {
	list = [][2]string{{"rocelab", v.Version}, {"build", v.ID}, {"models", fmt.Sprint(v.Models)}, {"go", v.Go}}
	if v.Revision != "" {
		commit := v.Revision
		if v.Modified {
			commit += ", modified"
		}
		list = append(list, [2]string{"commit", commit})
	}
	return list
}

// document is the version as Markdown and HTML have it.
func (v *version) document() *page.Document {
	t := page.New("", "is")
	for _, fact := range v.facts() {
		t.Add(fact[0], fact[1])
	}
	d := &page.Document{Title: "rocelab", Kind: "version", Blocks: []page.Block{t}}
	if len(v.Modules) > 0 {
		modules := page.New("built from")
		for _, module := range v.Modules {
			modules.Add(module)
		}
		d.Add(modules)
	}
	return d
}

// printVersion prints which program this is. The version by itself may not name a build.
func printVersion(w io.Writer) error {
	this := version{build.Read(), model.Version}
	var lines strings.Builder
	for _, fact := range this.facts() {
		fmt.Fprintf(&lines, "%-7s %s\n", fact[0], fact[1])
	}
	_, err := io.WriteString(w, lines.String())
	return host(err)
}
