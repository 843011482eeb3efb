//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/capture"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func captureCommand() *cobra.Command {
	var testbed, file string
	c := &cobra.Command{
		Use:   "capture PORT...",
		Short: "Capture frames at ports of a testbed, in model time",
		Long: `Capture the frames at ports of a testbed during its next run, or during the current
one, as pcapng with model time: on stdout, or in a file with -w. PORT is a port of a
switch such as leaf1:3, or a NIC. The capture ends with the run, or with Ctrl-C; the
file is complete in both cases, and equals that of rocelab run --capture, except for
comments about frames that a node dropped, which are not on the wire. A capture that
joins a run lacks the frames before.`,
		Example: `  rocelab capture s0:16 | wireshark -k -i -
  rocelab capture leaf1:3 h0 --testbed lab2 -w leaf1.pcapng`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("which ports? Write rocelab capture leaf1:3, or the name of a NIC"))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return completePorts(testbed, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			state, err := loadTestbed(testbed)
			if err != nil {
				return err
			}
			places, err := placesOf(state, args)
			if err != nil {
				return usage(err)
			}
			out, err := openCapture(file, c.OutOrStdout())
			if err != nil {
				return err
			}
			return out.end(captureAt(c.Context(), state, places, out, c.ErrOrStderr()))
		},
	}
	testbedFlag(c, &testbed)
	c.Flags().StringVarP(&file, "write", "w", "-", "file to write; - is stdout")
	return c
}

// placesOf finds the ports called so.
func placesOf(testbed *veth.State, names []string) (places []capture.Place, err error) {
	for _, name := range names {
		p, err := placeOf(testbed, name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(places, p) {
			return nil, fmt.Errorf("port %s is given twice", p.Name)
		}
		places = append(places, p)
	}
	return places, nil
}

// placeOf finds the port called "leaf1:3"; a node with one port may be called
// by its name.
func placeOf(testbed *veth.State, name string) (capture.Place, error) {
	node, number, given := strings.Cut(name, ":")
	found, ok := testbed.Node(node)
	if !ok {
		return capture.Place{}, fmt.Errorf("port %s: testbed %s has no node %q: %s", name, testbed.Name, node,
			hintNode(testbed, node))
	}
	port, err := strconv.Atoi(number)
	if !given && len(found.Interfaces) == 1 {
		port, err = 0, nil
	}
	if err != nil || port < 0 || port >= len(found.Interfaces) {
		if len(found.Interfaces) == 1 {
			return capture.Place{}, fmt.Errorf("port %s: %s has port 0 only", name, node)
		}
		return capture.Place{}, fmt.Errorf("port %s: write one of %s:0 to %[2]s:%d", name, node, len(found.Interfaces)-1)
	}
	return capture.Place{Name: fmt.Sprintf("%s:%d", node, port), Namespace: testbed.Containers[found.Container].NetNS,
		Interface: found.Interfaces[port]}, nil
}

// captureAt captures the run under way, or the next one.
func captureAt(ctx context.Context, testbed *veth.State, places []capture.Place, out, stderr io.Writer) error {
	const header = 14 + 4 // Ethernet with an 802.1Q tag, beyond the MTU
	current, err := veth.Attach(testbed.Name)
	if err != nil && !errors.Is(err, veth.ErrIdle) {
		return testbedError(err)
	}
	whole := current == nil
	taps, err := capture.Open(places, int(testbed.MTU)+header)
	if err != nil {
		return asOwner(host(err))
	}
	defer taps.Close()
	if current == nil {
		fmt.Fprintf(stderr, "waiting for a run on testbed %s; Ctrl-C ends\n", testbed.Name)
		if current, err = awaitRun(ctx, testbed); err != nil {
			return err
		}
	}
	defer current.Close()
	run := capture.Run{
		Source: runSource{current.Page, current},
		Number: current.Run,
		Whole:  whole,
		Edges:  testbed.HasEdges(),
	}
	for _, p := range places {
		i := slices.IndexFunc(current.Ports, func(l veth.CurrentPort) bool { return l.Name == p.Name })
		if i < 0 {
			return host(fmt.Errorf("the run on testbed %s has no port %s", testbed.Name, p.Name))
		}
		l := &current.Ports[i]
		run.Ports = append(run.Ports, pcapng.Port{
			Node:       l.Node,
			Port:       l.Port,
			Name:       l.Name,
			Out:        l.Attachment.Link,
			In:         l.Attachment.Link ^ 1,
			Attachment: l.Attachment,
		})
	}
	spool := capture.NewSpool(out)
	summary, err := taps.Record(ctx, run, spool)
	if closed := spool.Close(); err == nil {
		err = closed
	}
	printSummary(stderr, summary)
	if errors.Is(err, capture.ErrAborted) {
		whole := "the capture is complete up to"
		if summary.Missed > 0 {
			whole = "except for missed frames, the capture is complete up to"
		}
		fmt.Fprintf(stderr, "rocelab: the run ended with an error at %v; %s there\n", summary.Until, whole)
		return nil
	}
	return host(err)
}

// printSummary summarises a capture.
func printSummary(w io.Writer, summary capture.Summary) {
	fmt.Fprintf(w, "%s captured\n", unit.Count(summary.Frames, "frame"))
	if summary.Missed > 0 {
		fmt.Fprintf(w, "rocelab: %s missed: the capture could not keep up\n",
			unit.CountOf(summary.Missed, "frame was", "frames were"))
	}
	if summary.Foreign > 0 {
		fmt.Fprintf(w, "rocelab: %s left out: they are not the testbed's, something else sends on the link\n",
			unit.Count(summary.Foreign, "frame"))
	}
	if summary.Undecodable > 0 {
		fmt.Fprintf(w, "rocelab: %s that cannot be decoded left out\n", unit.Count(summary.Undecodable, "frame"))
	}
}

// awaitRun waits for the next run, or for the end of the testbed.
func awaitRun(ctx context.Context, testbed *veth.State) (*veth.Current, error) {
	current, err := veth.Await(ctx, testbed.Name)
	if ctx.Err() != nil && err != nil {
		return nil, errInterrupted
	}
	return current, testbedError(err)
}

// runSource is a run's page; a run whose process is gone counts as given up, as does one with a page of nonsense.
type runSource struct {
	*lockstep.Page
	current *veth.Current
}

func (r runSource) Aborted() bool {
	if r.Page.Aborted() || r.Page.Check() != nil {
		return true
	}
	if !r.current.Gone() {
		return false
	}
	_, _, over := r.Page.Over()
	return !over
}

// captureFile is where a capture goes.
type captureFile struct {
	io.Writer
	file *os.File // nil for stdout
	used bool
}

// openCapture opens a file, or takes stdout unless it is a terminal.
func openCapture(name string, stdout io.Writer) (*captureFile, error) {
	if name != "-" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
		if err != nil {
			return nil, host(err)
		}
		return &captureFile{Writer: f, file: f}, nil
	}
	if isTerminal(stdout) {
		return nil, usage(errors.New("a capture is binary, and stdout is a terminal: give a file with -w, or pipe " +
			"it, such as | wireshark -k -i -"))
	}
	return &captureFile{Writer: stdout}, nil
}

func (f *captureFile) Write(data []byte) (int, error) {
	f.used = true
	return f.Writer.Write(data)
}

// end closes the file, and removes it if nothing came into it.
func (f *captureFile) end(err error) error {
	if f.file == nil {
		return err
	}
	if closed := f.file.Close(); closed != nil && err == nil {
		err = host(closed)
	}
	if !f.used {
		os.Remove(f.file.Name())
	}
	return err
}

// completePorts completes names of ports.
func completePorts(testbed string, given []string) (names []string, directive cobra.ShellCompDirective) {
	s, err := loadTestbed(testbed)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		for port := range n.Interfaces {
			if name := fmt.Sprintf("%s:%d", n.Name, port); !slices.Contains(given, name) {
				names = append(names, name)
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
