package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/look/pack"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/model"
)

// unpack takes the run folder out of a pack, if a pack was given, and returns its path.
func (f *rerunFlags) unpack(ctx context.Context, given string, stdout io.Writer) (dir string, err error) {
	if info, err := os.Stat(given); err != nil || info.IsDir() {
		if f.trust {
			return "", usage(errTrustsNoPack)
		}
		if f.signers != "" {
			return "", usage(errors.New("--signers is for packs, and this is a run folder"))
		}
		return given, nil
	}
	opened, err := openPack(ctx, given)
	if err != nil {
		return "", err
	}
	f.runs.scenario.pack = opened
	if err := f.verify(ctx, given, opened); err != nil {
		return "", err
	}
	if f.format == page.FormatTable {
		text := fmt.Sprintf("%s: SHA-256 %s\n", given, opened.Digest)
		if f.signer != "" {
			text += fmt.Sprintf("%s: signed by %s\n", given, f.signer)
		}
		_, err = io.WriteString(stdout, terminal.Text(text))
	}
	return opened.Folder(), host(err)
}

// verify finds out who has signed a pack, if that is asked for.
func (f *rerunFlags) verify(ctx context.Context, given string, opened *pack.Opened) (err error) {
	if f.signers == "" {
		return nil
	}
	f.signer, err = opened.Signer(ctx, given, f.signers)
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case exit.Is(err, exit.CodeHost):
		return host(err)
	case err != nil:
		return usage(fmt.Errorf("%s: %w", given, err))
	}
	return nil
}

// errTrustsNoPack refuses --trust without a pack.
var errTrustsNoPack = errors.New("--trust is for the programs in a pack, and this is a run folder")

// openPack takes a pack out of its file, to be closed.
func openPack(ctx context.Context, file string) (*pack.Opened, error) {
	opened, err := pack.Open(ctx, file)
	switch {
	case ctx.Err() != nil:
		return nil, errInterrupted
	case exit.Is(err, exit.CodeHost):
		return nil, host(err)
	case err != nil:
		return nil, usage(fmt.Errorf("%s: %w", file, err))
	}
	return opened, nil
}

// close ends the programs that were started, and removes the unpacked files.
func (f *rerunFlags) close() error {
	err := f.runs.scenario.plugins.close()
	if opened := f.runs.scenario.pack; opened != nil {
		err = errors.Join(err, host(opened.Close()))
	}
	return err
}

// startPacked starts the programs that came in a pack, if they are trusted. Otherwise a program of another place will
// do, if a flag names it.
func (f *rerunFlags) startPacked(algorithms *registry.Registry) error {
	opened := f.runs.scenario.pack
	if opened == nil {
		return nil
	}
	if f.trust && len(opened.List.Programs) > 0 {
		if err := opened.LetStart(); err != nil {
			return host(err)
		}
	}
	for _, program := range opened.List.Programs {
		if !f.trust {
			if own, err := algorithms.Program(program.Algorithm); err == nil && own.Path != "" {
				continue
			}
			return exit.Plugin(fmt.Errorf("%s: %s ran as a program that came with the pack, %s with the "+
				"SHA-256 %s: it may do whatever you may. Start it with --trust, or give the folder of your own "+
				"copy with --plugin-dir", f.given,
				program.Algorithm, program.File, program.SHA256))
		}
		algorithm, err := algorithms.Add(opened.Program(program.Algorithm))
		if err != nil {
			return err
		}
		if name := algorithm.Describe().Name; name != program.Algorithm {
			return usage(fmt.Errorf("%s: %s is algorithm %q, and was packed as %q", f.given, program.File, name,
				program.Algorithm))
		}
	}
	return nil
}

// filled are the parameters of an algorithm with the texts of files that came in a pack.
func (f *scenarioFlags) filled(algorithms *registry.Registry, name string, given map[string]string) (map[string]string,
	error) {
	if f.pack == nil {
		return given, nil
	}
	algorithm, err := algorithms.Lookup(name)
	if err != nil {
		return given, nil // which is said where it is looked for
	}
	return f.pack.Fill(name, given, algorithm.Describe().Params)
}

// checker returns what a scenario asks about the algorithms that it names.
func (f *scenarioFlags) checker(algorithms *registry.Registry) scenario.CheckAlgorithm {
	check := f.plugins.checker(algorithms)
	return func(name string, params map[string]string) error {
		params, err := f.filled(algorithms, name, params)
		if err != nil {
			return err
		}
		return check(name, params)
	}
}

// signalsOf returns what a scenario asks about the algorithms of its flows.
func (f *scenarioFlags) signalsOf(algorithms *registry.Registry) func(*plan.Algorithm) scenario.Signals {
	of := model.SignalsOf(algorithms.Find)
	return func(a *plan.Algorithm) (none scenario.Signals) {
		params, err := f.filled(algorithms, a.Name, a.Params)
		if err != nil {
			return none
		}
		return of(&plan.Algorithm{Name: a.Name, Params: params})
	}
}

// fillPlans puts the texts of files that came in a pack into plans.
func (f *scenarioFlags) fillPlans(plans []*plan.Plan, algorithms *registry.Registry) (err error) {
	done := map[*plan.Algorithm]bool{nil: true}
	for _, p := range plans {
		for i := range p.Flows {
			a := p.Flows[i].Algorithm
			if done[a] {
				continue
			}
			done[a] = true
			if a.Params, err = f.filled(algorithms, a.Name, a.Params); err != nil {
				return err
			}
		}
	}
	return nil
}
