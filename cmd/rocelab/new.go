package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
)

// question is a value of a new scenario that is asked for unless its flag is given.
type question struct {
	flag, asks, value string
	set               func(*scenario.Draft, string) error
}

// questions are those of new, in order, with their defaults.
func questions() []question {
	return []question{
		{"hosts", "How many hosts?", "16", func(d *scenario.Draft, text string) (err error) {
			if d.Hosts, err = strconv.Atoi(text); err != nil {
				err = errors.New("write a whole number, such as 64")
			}
			return err
		}},
		{"rate", "Rate of every link?", "400Gbps", func(d *scenario.Draft, text string) (err error) {
			d.Rate, err = unit.ParseBitRate(text)
			return err
		}},
		{"topology", "Topology: " + strings.Join(scenario.Topologies, ", ") + "?", "star",
			func(d *scenario.Draft, text string) error {
				d.Topology = text
				return nil
			}},
		{"traffic", "Jobs, separated by commas: " + strings.Join(scenario.JobKinds, ", ") + "?", "incast",
			func(d *scenario.Draft, text string) error {
				d.Jobs = commaWords(text)
				return nil
			}},
		{"algorithm", "Algorithms, separated by commas: " + strings.Join(shippedNames(), ", ") + "?", "pc4,dcqcn",
			func(d *scenario.Draft, text string) error {
				d.Algorithms = commaWords(text)
				for _, name := range d.Algorithms {
					if _, known := shipped.Find(name); !known {
						return fmt.Errorf("there is no algorithm %q: %s", name, spelling.Hint(name, shippedNames(),
							"allowed are "+strings.Join(shippedNames(), ", ")))
					}
				}
				return nil
			}},
		{"length", "How long should the traffic take at line rate?", "1ms",
			func(d *scenario.Draft, text string) (err error) {
				d.Length, err = unit.ParseDuration(text)
				return err
			}},
	}
}

// commaWords are the words between commas and spaces.
func commaWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

func newCommand() *cobra.Command {
	asked := questions()
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a scenario of your own: six questions, or flags",
		Long: `Write NAME.yaml, a scenario with comments to start from. On a terminal it asks for
each value whose flag is missing; elsewhere the defaults apply. The scenario is
checked before it is written, and an existing file is not touched.`,
		Example: `  rocelab new mine
  rocelab new train --hosts 64 --topology leaf-spine --traffic all-reduce,all-to-all --algorithm dcqcn`,
		Args: usageArgs(cobra.ExactArgs(1)),
	}
	for i := range asked {
		c.Flags().StringVar(&asked[i].value, asked[i].flag, asked[i].value, strings.ToLower(asked[i].asks[:1])+
			strings.TrimSuffix(asked[i].asks[1:], "?"))
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		draft := &scenario.Draft{Name: strings.TrimSuffix(args[0], ".yaml")}
		file := draft.Name + ".yaml"
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return usage(fmt.Errorf("%s exists already: choose another name, or remove it", file))
		}
		if err := answer(c, draft, asked); err != nil {
			return err
		}
		text, err := draft.Text()
		if err != nil {
			return usage(err)
		}
		if err := checkDraft(file, text); err != nil {
			return usage(err)
		}
		if err := writeOnce(file, text); err != nil {
			return host(err)
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n\nNext:\n  rocelab validate %[1]s\n  rocelab run %[1]s\n", file)
		return host(err)
	}
	return c
}

// answer fills the draft from flags, and on a terminal from answers; an answer that is wrong is asked for again.
func answer(c *cobra.Command, draft *scenario.Draft, asked []question) error {
	asks := isTerminalIn(c.InOrStdin()) && isTerminal(c.ErrOrStderr())
	for _, q := range asked {
		if !asks || c.Flags().Changed(q.flag) {
			if err := q.set(draft, q.value); err != nil {
				return usage(fmt.Errorf("--%s %s: %w", q.flag, q.value, err))
			}
			continue
		}
		for {
			fmt.Fprintf(c.ErrOrStderr(), "%s [%s] ", q.asks, q.value)
			line, err := readAnswer(c.Context(), c.InOrStdin())
			if err != nil {
				fmt.Fprintln(c.ErrOrStderr())
				return err
			}
			text := cmp.Or(line, q.value)
			if err = q.set(draft, text); err == nil {
				break
			}
			fmt.Fprintf(c.ErrOrStderr(), "%s: %v\n", terminal.Line(text), err)
		}
	}
	return nil
}

// readAnswer reads a line without its end and spaces around it. Ctrl-C and the end of the input are errors.
func readAnswer(ctx context.Context, in io.Reader) (string, error) {
	type read struct {
		line string
		err  error
	}
	answered := make(chan read, 1)
	go func() {
		var line []byte
		for one := make([]byte, 1); ; { // a byte at a time: what follows is the next answer
			n, err := in.Read(one)
			if n == 1 && one[0] == '\n' || err != nil {
				answered <- read{strings.TrimSpace(string(line)), err}
				return
			}
			line = append(line, one[:n]...)
		}
	}()
	select {
	case <-ctx.Done():
		return "", errInterrupted
	case got := <-answered:
		if got.err != nil && got.line == "" {
			return "", usage(errors.New("the questions were not answered; flags can give the values instead: " +
				"rocelab new --help"))
		}
		return got.line, nil
	}
}

// checkDraft reads the scenario as run does.
func checkDraft(file string, text []byte) error {
	checked, err := scenario.Parse(file, text, model.Checker(shipped.Find),
		scenario.WithMetrics(result.MetricNames(), result.JobMetricNames()...))
	if err == nil {
		_, err = checked.Plans()
	}
	return err
}

// writeOnce writes a file that is not there yet.
func writeOnce(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
