package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/mlxconfig"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

func importMLXConfigCommand() *cobra.Command {
	var to converted
	port := 1
	c := &cobra.Command{
		Use:   "mlxconfig FILE",
		Short: "Make a scenario from the settings of an NVIDIA NIC",
		Long: `Make a scenario from the settings of an NVIDIA NIC: the parameters of DCQCN, and the
DSCP of CNPs. It reads the output of the tools: mlxconfig -d DEVICE q, NAME=value
lists, grep . of the files in /sys/class/net/IFACE/ecn or of cc_params, and
mlnx_qos -i IFACE, also one after another in one file. The result for each setting is
reported; settings that do not belong to congestion control are listed together.

The scenario goes to standard output and the lines to standard error, or with -o
the scenario to a file and the lines to standard output. A file of the same name
is replaced.`,
		Example: `  mlxconfig -d /dev/mst/mt4129_pciconf0 q > nic.txt
  rocelab import mlxconfig nic.txt -o nic.yaml`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkPort(port); err != nil {
				return err
			}
			name, text, err := readForeign(c, args[0], mlxconfig.MaxSource)
			if err != nil {
				return err
			}
			imported, err := mlxconfig.Import(name, text, port)
			if err != nil {
				return usage(err)
			}
			return to.write(c, imported.Scenario, imported.Lines)
		},
	}
	to.add(c, "scenario")
	portFlag(c, &port)
	return c
}

func portFlag(c *cobra.Command, port *int) {
	c.Flags().IntVar(port, "port", 1, "port of the NIC, 1 or 2")
	c.RegisterFlagCompletionFunc("port", words("1", "2"))
}

func checkPort(port int) error {
	if port != 1 && port != 2 {
		return usage(fmt.Errorf("--port %d: a NIC has ports 1 and 2", port))
	}
	return nil
}

func exportMLXConfigCommand() *cobra.Command {
	var flags exportFlags
	var to converted
	port := 1
	c := &cobra.Command{
		Use:   "mlxconfig SCENARIO",
		Short: "Write the parameters of DCQCN as settings for mlxconfig",
		Long: `Write the parameters of DCQCN of a scenario, and the DSCP of its CNPs, as
NAME=value lines for mlxconfig set. All parameters are written, including the ones that
the scenario leaves at their defaults.`,
		Example: `  rocelab export mlxconfig nic.yaml -o nic.txt
  mlxconfig -d /dev/mst/mt4129_pciconf0 set $(cat nic.txt)`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, flags.plugins.close()) }()
			if err := checkPort(port); err != nil {
				return err
			}
			_, chosen, err := flags.plan(args[0])
			if err != nil {
				return usage(err)
			}
			algorithm, err := onlyDCQCN(chosen)
			if err != nil {
				return usage(err)
			}
			algorithms, err := flags.plugins.registry()
			if err != nil {
				return usage(err)
			}
			ran, err := campaign.AlgorithmOf(algorithm, algorithms)
			if err != nil {
				return usage(err)
			}
			values := map[string]string{}
			for name, value := range ran.Params {
				if value != nil {
					values[name] = *value
				}
			}
			exported := mlxconfig.Export(values, algorithm.Params, int(chosen.NICs[0].Profile.CNPDSCP), port)
			return to.write(c, exported.Text, exported.Lines)
		},
	}
	flags.addTo(c)
	to.add(c, "settings")
	portFlag(c, &port)
	return c
}

// onlyDCQCN returns the algorithm of all flows, which must be dcqcn and the same.
func onlyDCQCN(p *plan.Plan) (*plan.Algorithm, error) {
	var one *plan.Algorithm
	for i := range p.Flows {
		switch a := p.Flows[i].Algorithm; {
		case a.Name != "dcqcn":
			return nil, fmt.Errorf("flow %s runs %s: mlxconfig only has the settings of dcqcn (see --variant and "+
				"--set)",
				p.Flows[i].Name, a.Name)
		case one == nil:
			one = a
		case fmt.Sprint(one.Params) != fmt.Sprint(a.Params):
			return nil, fmt.Errorf("flow %s has other parameters of dcqcn than flow %s: a NIC has one value of each",
				p.Flows[i].Name, p.Flows[0].Name)
		}
	}
	if one == nil {
		return nil, errors.New("the scenario has no flow, and so no algorithm")
	}
	return one, nil
}
