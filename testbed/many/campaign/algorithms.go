package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/model"
)

// Algorithms returns the algorithms of a plan's flows, each with its parameters once, in the order of their names.
// Programs are read as they are now, before the run.
func Algorithms(p *plan.Plan, algorithms *registry.Registry) (list []result.Algorithm, err error) {
	done := map[*plan.Algorithm]bool{nil: true}
	for i := range p.Flows {
		a := p.Flows[i].Algorithm
		if done[a] {
			continue
		}
		done[a] = true
		one, err := AlgorithmOf(a, algorithms)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(other result.Algorithm) bool { return same(one, other) }) {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b result.Algorithm) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// same reports whether two entries of a plan are one algorithm: of one name there is one
// program.
func same(a, b result.Algorithm) bool {
	if a.Name != b.Name {
		return false
	}
	for name, value := range a.Params {
		if other := b.Params[name]; (value == nil) != (other == nil) || value != nil && *value != *other {
			return false
		}
	}
	return true
}

// AlgorithmOf describes one algorithm of a plan.
func AlgorithmOf(a *plan.Algorithm, algorithms *registry.Registry) (result.Algorithm, error) {
	algorithm, err := algorithms.Lookup(a.Name)
	if err != nil {
		return result.Algorithm{}, err
	}
	described := algorithm.Describe()
	params, err := hosting.Parse(described, a.Params)
	if err != nil {
		return result.Algorithm{}, err
	}
	given := maps.Clone(a.Params) // with the content of files, as names do not identify it
	if err := model.EmbedFiles(a.Name, given, described.Params); err != nil {
		return result.Algorithm{}, err
	}
	var own map[string]string
	if controller, err := algorithm.New(params); err == nil { // else the run says what is wrong
		if resolving, ok := controller.(cc.Resolving); ok {
			own = resolving.Resolved()
		}
	}
	made := result.Algorithm{
		Name:    described.Name,
		Version: described.Version,
		Form:    result.FormBuiltIn,
		Params:  resolved(described.Params, given, own),
	}
	program, err := algorithms.Program(a.Name)
	if err != nil {
		return result.Algorithm{}, err
	}
	if program.Path != "" {
		made.Form = result.FormProcess
		if made.Program, err = ProgramOf(program); err != nil {
			return result.Algorithm{}, err
		}
		interpreter := hosting.InterpreterOf(algorithm)
		made.Program.Runtime = interpreter.Runtime
		for _, file := range interpreter.Files {
			made.Program.Files = append(made.Program.Files, result.FileSum{Name: file.Name, SHA256: file.SHA256})
		}
	}
	return made, nil
}

// resolved returns the values of all parameters; own are the ones that the algorithm decides.
func resolved(params []cc.Param, given, own map[string]string) map[string]*string {
	values := map[string]*string{}
	for _, param := range params {
		value, isGiven := given[param.Name]
		switch {
		case !isGiven && param.Default == "":
			if value, isGiven = own[param.Name]; !isGiven {
				values[param.Name] = nil // its meaning is said in the parameter's doc
				continue
			}
			value = terminal.Line(value[:min(len(value), longestValue)])
		case !isGiven:
			value = param.Default
		case param.File:
			value = FileOrDigest(value)
		}
		values[param.Name] = &value
	}
	return values
}

// FileOrDigest is the value of a parameter that may be a file: its digest if it is a file's
// text, which model.Embed put there.
func FileOrDigest(value string) string {
	if !strings.Contains(value, "\n") {
		return value
	}
	sum := sha256.Sum256([]byte(value))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// longestValue bounds what a program may say of a parameter, in bytes.
const longestValue = 256

// ProgramOf identifies a program as its file is now.
func ProgramOf(program process.Program) (*result.Program, error) {
	file, err := os.Open(program.Path)
	if err != nil {
		return nil, exit.Host(err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return nil, exit.Host(fmt.Errorf("%s: %w", program.Path, err))
	}
	made := &result.Program{SHA256: hex.EncodeToString(sum.Sum(nil))}
	if info, isGo := build.Of(program.Path); isGo {
		info.Modules = nil // its ID has them in it
		made.Build = &info
	}
	return made, nil
}
