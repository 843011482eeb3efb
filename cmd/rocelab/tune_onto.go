package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/tune"
)

// ontoFlags write an advice into a configuration of SONiC.
type ontoFlags struct {
	file, node string
	to         converted

	name string
	text []byte
}

func (f *ontoFlags) add(c *cobra.Command) {
	f.to.format = page.FormatTable
	flags := c.Flags()
	flags.StringVar(&f.file, "onto", "", "config_db.json of SONiC to change: the recommended values are written "+
		"into a copy of it, --output")
	flags.StringVarP(&f.to.out, "output", "o", "", "file to write with --onto")
	flags.StringVar(&f.node, "switch", "", "the switch of --onto, if the scenario has several")
}

// read reads the configuration, before the search begins.
func (f *ontoFlags) read(c *cobra.Command) (err error) {
	switch {
	case f.file == "" && f.to.out == "" && f.node == "":
		return nil
	case f.file == "":
		return usage(errors.New("--output and --switch need --onto, the configuration to write the recommendation " +
			"into"))
	case f.to.out == "" || f.to.out == "-":
		return usage(errors.New("--onto needs --output with the name of a file: standard output has the report"))
	}
	f.name, f.text, err = readForeign(c, f.file, sonic.MaxSource)
	return err
}

// write writes the configuration with the advice, and prints what it changed. An advice that missed is not written.
func (f *ontoFlags) write(c *cobra.Command, s *tune.Search, a *tune.Answer, format page.Format) error {
	if f.text == nil {
		return nil
	}
	said := c.OutOrStdout()
	if format != page.FormatTable {
		said = c.ErrOrStderr()
	}
	if a.Advice() == nil || a.Missed() {
		_, err := io.WriteString(said, "\n"+f.to.out+" is not written: no recommendation holds\n")
		return host(err)
	}
	advised, err := s.Patterns[0].With(a.Advice())
	if err != nil {
		return err
	}
	number, err := switchNamed(advised, f.node)
	if err != nil {
		return usage(err)
	}
	changed, lines, err := sonic.Onto(f.name, f.text, advised, number)
	if err != nil {
		return usage(err)
	}
	if _, err := io.WriteString(said, "\nThe recommendation in "+f.to.out+":\n"); err != nil {
		return host(err)
	}
	f.to.nothing = f.name + " has the same values already: nothing was changed"
	return f.to.writeTo(said, changed, lines)
}
