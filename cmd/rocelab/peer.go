package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/scenario"
)

func peerCommand() *cobra.Command {
	var flags scenarioFlags
	var device, rdma string
	c := &cobra.Command{
		Use:   "peer SCENARIO",
		Short: "Print what to type at the far ends of the peers of a scenario",
		Long: `Print the commands for the machine of each peer of a scenario: a real stack, such as
soft-RoCE or an RDMA NIC, that is connected to a NIC of ours. They give its interface
the address that the fabric routes to and a neighbour entry for our NIC, start
rocelab-peer, and connect it. rocelab-peer is specs/rxe/peer/program/rocelab-peer.c;
the first line that it prints has the keys of the peer in the scenario. Our own numbers
depend on the seed and on the peer's name and place, not on the other's numbers.`,
		Example: `  rocelab peer guest.yaml
  rocelab peer guest.yaml --device eth1 --rdma mlx5_0`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, flags.plugins.close()) }()
			loaded, err := flags.load(args[0], "")
			if err != nil {
				return usage(err)
			}
			return printPeers(c.OutOrStdout(), loaded, device, rdma)
		},
	}
	flags.add(c)
	c.Flags().StringVar(&device, "device", "eth0", "network interface of the machine")
	c.Flags().StringVar(&rdma, "rdma", "rxe0", "RDMA device of the machine")
	return c
}

// printPeers prints the commands for the peers of all variants.
func printPeers(to io.Writer, loaded *scenario.Scenario, device, rdma string) error {
	plans, err := loaded.Plans()
	if err != nil {
		return usage(err)
	}
	none := true
	for _, p := range plans {
		for _, r := range scenario.Analyse(p, nil).Peers {
			if none = false; len(plans) > 1 {
				fmt.Fprintf(to, "# variant %s\n", p.Name)
			}
			if _, err := io.WriteString(to, r.Commands(device, rdma)); err != nil {
				return host(err)
			}
		}
	}
	if none {
		return usage(errors.New("the scenario has no peers: list them under peers, each with edge and the stack's numbers"))
	}
	return nil
}
