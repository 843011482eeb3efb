package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/emulator/sonic"
	"github.com/rocelab/rocelab/internal/spelling"
)

func exportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "export",
		Short: "Write settings of a scenario as configuration of real devices",
		Long: `Write settings of a scenario as the configuration of a real switch or NIC, and list
the settings that could not be written exactly.`,
		Example: `  rocelab export sonic leaf.yaml -o changes.json
  rocelab export mlxconfig nic.yaml -o nic.txt`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(exportSonicCommand(), exportMLXConfigCommand())
	return c
}

func exportSonicCommand() *cobra.Command {
	var flags exportFlags
	var to converted
	node, onto := "", ""
	c := &cobra.Command{
		Use:   "sonic SCENARIO",
		Short: "Write a switch of a scenario as tables of SONiC's config_db.json",
		Long: `Write a switch of a scenario as tables of SONiC's config_db.json, as far as settings
have counterparts there. A complete file also needs the rest: lanes of ports,
addresses, neighbours. If the scenario was imported, profiles and maps keep the names
that they had.

--onto FILE writes that configuration as a whole and only changes the values that
differ from the scenario's: settings without a counterpart in the scenario are kept,
and so are differences between ports. Each change is listed with both values.`,
		Example: `  rocelab export sonic leaf.yaml -o changes.json
  rocelab export sonic leaf.yaml --set switch.ecn.kmin=200KB
  rocelab export sonic leaf.yaml --set switch.ecn.kmin=200KB --onto config_db.json -o new.json
  rocelab export sonic specs/scenarios/two-dc.yaml --switch a-leaf0 --variant dcqcn`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, flags.plugins.close()) }()
			loaded, chosen, err := flags.plan(args[0])
			if err != nil {
				return usage(err)
			}
			number, err := switchNamed(chosen, node)
			if err != nil {
				return usage(err)
			}
			if onto != "" {
				name, text, err := readForeign(c, onto, sonic.MaxSource)
				if err != nil {
					return err
				}
				changed, lines, err := sonic.Onto(name, text, chosen, number)
				if err != nil {
					return usage(err)
				}
				to.nothing = name + " has the same values already: nothing was changed"
				return to.write(c, changed, lines)
			}
			memory, err := sonic.RecallOf(loaded.Source, chosen.Switches[number].Name)
			if err != nil {
				return usage(err)
			}
			exported := sonic.Export(chosen, number, memory)
			return to.write(c, exported.Config.JSON(), exported.Lines)
		},
	}
	flags.addTo(c)
	to.add(c, "configuration")
	c.Flags().StringVar(&node, "switch", "", "the switch, if the scenario has several")
	c.Flags().StringVar(&onto, "onto", "", "config_db.json that the scenario was imported from: write all of it, "+
		"with the values changed that differ in the scenario")
	return c
}

// exportFlags choose what of a scenario is written.
type exportFlags struct {
	scenarioFlags
	variant string
}

func (f *exportFlags) addTo(c *cobra.Command) {
	f.source.command = c
	f.plugins.add(c)
	c.Flags().StringArrayVar(&f.sets, "set", nil, "change a key: path=value, such as switch.ecn.kmin=100KB (repeatable)")
	c.Flags().StringVar(&f.variant, "variant", "", "take the settings of this variant (default the first)")
}

// plan reads a scenario and returns the plan of the variant that was chosen.
func (f *exportFlags) plan(path string) (*scenario.Scenario, *plan.Plan, error) {
	loaded, err := f.load(path, "")
	if err != nil {
		return nil, nil, err
	}
	plans, err := loaded.Plans()
	if err != nil {
		return nil, nil, err
	}
	if f.variant == "" {
		return loaded, plans[0], nil
	}
	var names []string
	for _, p := range plans {
		if p.Name == f.variant {
			return loaded, p, nil
		}
		names = append(names, p.Name)
	}
	return nil, nil, fmt.Errorf("--variant %q: %s", f.variant,
		spelling.Hint(f.variant, names, "the scenario has "+strings.Join(names, ", ")))
}

// switchNamed returns the number of a switch of a plan; a plan with one does not need the name.
func switchNamed(p *plan.Plan, name string) (int, error) {
	var names []string
	for i := range p.Switches {
		if p.Switches[i].Name == name || name == "" && len(p.Switches) == 1 {
			return i, nil
		}
		names = append(names, p.Switches[i].Name)
	}
	const most = 8
	few := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		few += fmt.Sprintf(" and %d more", len(names)-most)
	}
	switch {
	case len(names) == 0:
		return 0, errors.New("the scenario has no switch")
	case name == "":
		return 0, fmt.Errorf("the scenario has several switches: choose one with --switch; they are %s", few)
	}
	return 0, fmt.Errorf("--switch %q: there is no switch of that name: %s", name,
		spelling.Hint(name, names, "they are "+few))
}
