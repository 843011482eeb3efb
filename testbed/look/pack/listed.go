package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
)

// checkParts refuses a file that does not belong to a pack: one that is not in the manifest of its run folder, in its
// host's part or in the scenario, and that is not a program that ran.
func (l *List) checkParts(folder fs.FS) error {
	manifest, err := result.ReadManifest(folder)
	if err != nil {
		return err
	}
	parts := map[string]bool{readmeName: true, path.Join(runFolder, result.ReportName): true}
	add := func(folder string, names ...string) {
		for _, name := range names {
			parts[path.Join(folder, name)] = true
		}
	}
	add(runFolder, result.ListNames()...)
	host, err := result.ReadHost(folder)
	if errors.Is(err, fs.ErrNotExist) {
		host, err = &result.Host{}, nil
	}
	if err != nil {
		return err
	}
	for _, file := range slices.Concat(manifest.Files, host.Files) {
		add(runFolder, file.Name)
	}
	if err := l.checkInputs(folder, manifest); err != nil {
		return err
	}
	for _, input := range l.Inputs {
		parts[input.name()] = true
	}
	ran := processes(manifest)
	for _, program := range l.Programs {
		i := slices.IndexFunc(ran, func(a result.Algorithm) bool {
			return a.Name == program.Algorithm && a.Program.SHA256 == program.SHA256
		})
		home := path.Join(programsHome, program.Algorithm)
		if i < 0 || path.Dir(program.File) != home {
			return fmt.Errorf("%s is not the program of %q that ran", program.File, program.Algorithm)
		}
		add("", program.File)
		for _, module := range ran[i].Program.Files {
			add(home, module.Name)
		}
	}
	for _, file := range l.Files {
		if !parts[file.Name] {
			return fmt.Errorf("%s is not part of it: neither the manifest of its runs nor their scenario lists "+
				"it", file.Name)
		}
	}
	return nil
}

// checkInputs refuses an input that no parameter of the scenario names.
func (l *List) checkInputs(folder fs.FS, manifest *result.Manifest) error {
	if len(l.Inputs) == 0 {
		return nil
	}
	list, err := givenIn(folder, manifest)
	if err != nil {
		return err
	}
	for _, input := range l.Inputs {
		if !slices.ContainsFunc(list, func(g given) bool {
			return g.algorithm == input.Algorithm && g.params[input.Param] == input.Path
		}) {
			return fmt.Errorf("%s is not part of it: the scenario gives %s no %s that is "+
				"%q", input.name(), input.Algorithm,
				input.Param, input.Path)
		}
	}
	return nil
}
