//go:build linux && !mem

package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// deployFlags are the flags of deploy.
type deployFlags struct {
	scenario         scenarioFlags
	bring            testbedFlags
	testbed, variant string
}

// testbedCommands are the commands for testbeds of containers.
func testbedCommands(code *int) []*cobra.Command {
	return []*cobra.Command{
		deployCommand(),
		inspectCommand(),
		execCommand(code),
		captureCommand(),
		destroyCommand(),
		doctorCommand(code),
		linksCommand(),
		wireCommand(code),
	}
}

func deployCommand() *cobra.Command {
	flags := &deployFlags{}
	c := &cobra.Command{
		Use:   "deploy SCENARIO",
		Short: "Create a testbed and keep it",
		Long: `Bring up the testbed of a scenario, a container for each switch and server and a
veth pair for each link, and keep it until rocelab destroy. Scenarios with the
same nodes and links run on it with rocelab run --on veth --testbed NAME, one at
a time; rates, latencies, traffic and profiles may differ. The containers include
the plugins of the scenario's algorithms if these run as processes. Needs root;
rocelab doctor lists the other requirements.`,
		Example: `  rocelab deploy incast.yaml
  rocelab deploy incast.yaml --testbed lab2 --runtime builtin --daemons node
  rocelab deploy incast.yaml --set topology.hosts=41
  rocelab run incast.yaml --on veth --testbed incast`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, flags.scenario.plugins.close()) }()
			return flags.deploy(c, args[0])
		},
	}
	flags.scenario.add(c)
	flags.bring.add(c)
	c.Flags().StringVar(&flags.testbed, "testbed", "", "name of the testbed (default the scenario's)")
	c.RegisterFlagCompletionFunc("testbed", cobra.NoFileCompletions) // a name that is new
	c.Flags().StringVar(&flags.variant, "variant", "", "variant to take nodes and links from (default the first)")
	return c
}

func (f *deployFlags) deploy(c *cobra.Command, path string) error {
	f.scenario.plugins.starting.inContainers = true
	scenario, err := f.scenario.load(path, "")
	if err != nil {
		return usage(err)
	}
	plans, err := f.scenario.plans(scenario)
	if err != nil {
		return usage(err)
	}
	plan, err := f.choosePlan(scenario.Name, plans)
	if err != nil {
		return usage(err)
	}
	if f.testbed == "" {
		f.testbed = nameOf(scenario.Name)
	}
	if err := checkFree(f.testbed); err != nil {
		return err
	}
	config, err := f.bring.config(f.testbed, scenario.Name)
	if err != nil {
		return err
	}
	config.Limits = f.scenario.plugins.limits
	if config.Plugins, err = f.scenario.plugins.programs(plans); err != nil {
		return err
	}
	if err := doctor.RequiredFor(veth.Footprint(plan, config.Daemons)); err != nil {
		return host(err)
	}
	line := &liveLine{to: c.ErrOrStderr()}
	config.Progress = line.show
	began := time.Now()
	up, err := veth.Deploy(c.Context(), plan, config)
	line.clear()
	if err != nil {
		return testbedError(err)
	}
	took := time.Since(began)
	on := "veth"
	if len(plan.Edges()) > 0 {
		on = "live"
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "testbed %s is up: %s in %s, in %.2f s\nrun on it: rocelab run %s --on %s "+
		"--testbed %[1]s\n",
		up.Name, unit.Count(len(up.Nodes), "node"), partsOf(up), took.Seconds(), terminal.Line(path), on)
	for _, other := range plans {
		if unfit := up.Fits(other); unfit != nil {
			fmt.Fprintf(c.ErrOrStderr(), "rocelab: variant %s does not fit on it: %s\n", other.Name,
				terminal.Text(unfit.Error()))
		}
	}
	return host(err)
}

// choosePlan returns the plan whose testbed is brought up: of the variants with the
// frames that are largest, so that all of the same graph fit.
func (f *deployFlags) choosePlan(scenario string, plans []*plan.Plan) (*plan.Plan, error) {
	if f.variant != "" {
		return experiment.Variant(scenario, plans, f.variant)
	}
	best := plans[0]
	for _, p := range plans {
		if len(p.Links) == len(best.Links) && len(p.NICs) == len(best.NICs) && p.MaxFrame() > best.MaxFrame() {
			best = p
		}
	}
	return best, nil
}

// notInNames are the characters that a testbed's name may not have.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// nameOf makes a testbed's name of a scenario's.
func nameOf(scenario string) string {
	const most = 32
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(scenario), "-"), "-")
	if name == "" {
		return "testbed"
	}
	return strings.TrimRight(name[:min(len(name), most)], "-")
}

// checkFree refuses a name that is none, or is taken.
func checkFree(name string) error {
	if err := veth.CheckName(name); err != nil {
		return usage(fmt.Errorf("--testbed: %w", err))
	}
	names, err := testbedNames()
	if slices.Contains(names, name) {
		return usage(fmt.Errorf("testbed %s exists already: `rocelab destroy --testbed %[1]s` removes it, or "+
			"--testbed gives the new one another name", name))
	}
	if exit.Is(err, exit.CodeHost) {
		return nil // for want of rights, as the examination of the host tells better
	}
	return err
}

// liveLine is a line on a terminal that shows the present step; on anything else it stays empty.
type liveLine struct {
	to    io.Writer
	shown bool
}

func (l *liveLine) show(what string, done, total int) {
	if isTerminal(l.to) {
		fmt.Fprintf(l.to, "\r\x1b[K%s %d of %d", what, done, total)
		l.shown = true
	}
}

func (l *liveLine) clear() {
	if l.shown {
		fmt.Fprint(l.to, "\r\x1b[K")
		l.shown = false
	}
}
