package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/mlxconfig"
	"github.com/rocelab/rocelab/emulator/sonic"
)

// fabricFlags are the files of a fabric beside the configurations of its switches.
type fabricFlags struct {
	links, chip string
	nics        []string
	port        int
	to          converted
}

func (f *fabricFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.links, "links", "",
		"list of links: a line for each, node,port,node,port and the length if it is known")
	flags.StringArrayVar(&f.nics, "mlxconfig", nil,
		"settings of the NICs of a host, as HOST=FILE, or FILE with the host's name; a single file of any name is "+
			"for all hosts (repeatable)")
	chipFlag(c, &f.chip)
	portFlag(c, &f.port)
	f.to.add(c, "scenario")
}

// args lets configurations stand in the place of a command if there is a list of links.
func (f *fabricFlags) args(c *cobra.Command, args []string) error {
	switch {
	case f.links == "" && len(args) > 0 && strings.HasSuffix(args[0], ".json"):
		return usage(errors.New("several configurations need --links, the list of the links between them; for a " +
			"single one use rocelab import sonic " + args[0]))
	case f.links == "":
		return noSuchCommand(c, args)
	case len(args) == 0:
		return usage(errors.New("--links joins switches: name their configurations, such as leaf0.json leaf1.json"))
	}
	return nil
}

// run makes the scenario of a fabric.
func (f *fabricFlags) run(c *cobra.Command, args []string) error {
	if err := errors.Join(checkPort(f.port), checkChip(f.chip)); err != nil {
		return err
	}
	from := &sonic.Sources{Chip: f.chip}
	for _, path := range args {
		name, text, err := readForeign(c, path, sonic.MaxSource)
		if err != nil {
			return err
		}
		from.Configs = append(from.Configs, sonic.Text{Name: name, Text: text})
	}
	name, text, err := readForeign(c, f.links, sonic.MaxLinks)
	if err != nil {
		return err
	}
	from.Links = sonic.Text{Name: name, Text: text}
	for _, of := range f.nics {
		host, path, named := strings.Cut(of, "=")
		if !named {
			path = of
			host = strings.TrimSuffix(filepath.Base(of), filepath.Ext(of))
		}
		name, text, err := readForeign(c, path, mlxconfig.MaxSource)
		if err != nil {
			return err
		}
		imported, err := mlxconfig.Import(name, text, f.port)
		if err != nil {
			return usage(err)
		}
		from.NICs = append(from.NICs, sonic.NIC{
			Name:   name,
			Host:   host,
			Guess:  !named && len(f.nics) == 1,
			Params: imported.Params,
			Keys:   imported.Keys,
			Lines:  imported.Lines,
		})
	}
	imported, err := sonic.ImportFabric(from)
	if err != nil {
		return usage(err)
	}
	f.to.warnings, f.to.losses = imported.Warnings, sonic.Losses(imported.Lines)
	return f.to.write(c, imported.Scenario, imported.Lines)
}
