package sweep

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// IdentifyIn returns the part of a run's name for an algorithm of a registry.
func IdentifyIn(algorithms *registry.Registry) Identify {
	return func(a *plan.Algorithm) (Algorithm, error) { return identify(a, algorithms) }
}

func identify(a *plan.Algorithm, algorithms *registry.Registry) (Algorithm, error) {
	algorithm, err := algorithms.Lookup(a.Name)
	if err != nil {
		return Algorithm{}, err
	}
	described := algorithm.Describe()
	embedded := &plan.Algorithm{Name: a.Name, Params: map[string]string{}}
	for name, value := range a.Params {
		embedded.Params[name] = value
	}
	if err := model.EmbedFiles(a.Name, embedded.Params, described.Params); err != nil {
		return Algorithm{}, err
	}
	params, err := hosting.Parse(described, embedded.Params)
	if err != nil {
		return Algorithm{}, err
	}
	is := Algorithm{Name: described.Name, Version: described.Version, Params: params.Canonical()}
	for _, param := range described.Params {
		if text, given := is.Params[param.Name]; given && param.File {
			is.Params[param.Name] = campaign.FileOrDigest(text)
		}
	}
	program, err := algorithms.Program(a.Name)
	if err != nil || program.Path == "" {
		return is, err
	}
	made, err := campaign.ProgramOf(program)
	if err != nil {
		return is, err
	}
	is.Version, is.Program, is.Files = "", made.SHA256, map[string]string{}
	for _, file := range hosting.InterpreterOf(algorithm).Files {
		is.Files[file.Name] = file.SHA256
	}
	return is, nil
}
