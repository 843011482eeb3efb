package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/build"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/model"
)

// version is what the command says of this program.
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
		Short: "Print the version, as --version does",
		Long: `Print which program this is: its version and commit, as far as known, its build,
the version of its models and of Go.

The build is the Go build ID, the same for builds with -trimpath from any folder,
as long as source, Go and flags agree; where there is none, it is the SHA-256 of
the program. The models have a version that a rebuild does not change: programs
that agree in it give one scenario and seed one trace.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			this := version{build.Read(), model.Version}
			list := this.Modules
			if !modules {
				this.Modules = nil
			}
			return printText(c.OutOrStdout(), format, "version", "rocelab", this, func(w io.Writer) error {
				if err := printVersion(w); err != nil || !modules {
					return err
				}
				_, err := fmt.Fprintln(w, strings.Join(list, "\n"))
				return host(err)
			})
		},
	}
	c.Flags().BoolVar(&modules, "modules", false, "list the modules it was built from, too")
	formatFlag(c, &format)
	return c
}

// printVersion says which program this is. The version alone may name no build.
func printVersion(w io.Writer) error {
	info := build.Read()
	lines := fmt.Sprintf("rocelab %s\nbuild   %s\nmodels  %d\ngo      %s\n", info.Version, info.ID, model.Version, info.Go)
	if info.Revision != "" {
		modified := ""
		if info.Modified {
			modified = ", modified"
		}
		lines += fmt.Sprintf("commit  %s%s\n", info.Revision, modified)
	}
	_, err := io.WriteString(w, lines)
	return host(err)
}
