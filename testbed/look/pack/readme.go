package pack

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc"
)

// readme is the page that is read first. It has nothing that the manifest and the list do not have.
func (c *Contents) readme(list *List) []byte {
	manifest := c.Manifest
	var b bytes.Buffer
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("# %s: a run of rocelab, with all that makes it again\n", manifest.Scenario)
	say("This command repeats the runs, compares each file to the byte, and prints \"the same\", or the " +
		"differences:\n")
	command := "rocelab rerun PACK"
	if len(list.Programs) > 0 {
		command += " --trust"
	}
	say("    %s\n", command)
	say("PACK is the zip that this page is in. It needs no other file, no network and no rights of root.")
	if len(list.Programs) > 0 {
		say("`--trust` starts the programs below `%s/`: they may do whatever you may, so ask who wrote them.", programsHome)
	}
	say("The command prints the SHA-256 of the pack first. If the sender gave you one, compare it.\n")
	sayBuild(say, manifest)
	say("\n## Contents\n")
	say("- `%s/%s`: the page to look at in a browser", runFolder, result.ReportName)
	say("- `%s/resolved.yaml`: the scenario, with all that flags changed of it", runFolder)
	say("- `%s/columns.md`: meaning of each file and column; `%s/manifest.json`: inputs of the "+
		"runs", runFolder, runFolder)
	say("- `%s`: the SHA-256 of each file", listName)
	for _, input := range list.Inputs {
		say("- `%s`: `%s` of %s, `%s` in the scenario", input.name(), input.Param, input.Algorithm, input.Path)
	}
	say("\n## What ran\n")
	say("| run | algorithm | seed | verdict | trace |")
	say("|---|---|---|---|---|")
	for _, run := range manifest.Runs {
		say("| `%s` | %s | %d | %s | `%s` |", run.Folder, run.Algorithm, run.Seed, run.Verdict, run.Trace)
	}
	say("")
	for _, a := range everyAlgorithm(manifest) {
		say("- %s", c.whatItIs(a, list))
	}
	return b.Bytes()
}

// Readme is the page of a pack that is read first, as this build writes it; shipped are rocelab's own
// algorithms.
func (o *Opened) Readme(shipped []cc.Description) ([]byte, error) {
	manifest, err := result.ReadManifest(os.DirFS(o.Folder()))
	if err != nil {
		return nil, err
	}
	return (&Contents{Manifest: manifest, Shipped: shipped}).readme(o.List), nil
}

// HasReadme reports whether that page is the one in the pack.
func (o *Opened) HasReadme(text []byte) bool {
	return slices.Contains(o.List.Files, result.FileSum{Name: readmeName, SHA256: digestOf(text)})
}

// sayBuild names the rocelab to use.
func sayBuild(say func(string, ...any), manifest *result.Manifest) {
	its := manifest.Build
	say("## Which rocelab\n")
	say("The runs were made by version `%s`, built with %s, build `%s`, models version %d.", its.Version, its.Go, its.ID,
		manifest.Models)
	say("Another build may give the same bytes; `rerun` reports it if it does.")
	switch {
	case its.Revision == "":
		say("This one was built without version control; who sent you this has it.")
	case its.Modified:
		say("This one was built from commit `%s` with changes; who sent you this has it.", its.Revision)
	default:
		say("This one is built, on a machine with Go, by\n")
		say("    git clone https://%s && cd rocelab && git checkout %s", ownModule, its.Revision)
		say("    CGO_ENABLED=0 go build -trimpath ./cmd/rocelab")
	}
}

// everyAlgorithm has each algorithm that ran, each program once, in the order of the runs.
func everyAlgorithm(manifest *result.Manifest) (list []result.Algorithm) {
	for _, run := range manifest.Runs {
		for _, a := range run.Algorithms {
			if !slices.ContainsFunc(list, func(other result.Algorithm) bool { return sameProgram(a, other) }) {
				list = append(list, a)
			}
		}
	}
	return list
}

func sameProgram(a, b result.Algorithm) bool {
	return a.Name == b.Name && (a.Program == nil) == (b.Program == nil) &&
		(a.Program == nil || a.Program.SHA256 == b.Program.SHA256)
}

// whatItIs describes the origin of an algorithm.
func (c *Contents) whatItIs(a result.Algorithm, list *List) string {
	at := slices.IndexFunc(list.Programs, func(p Program) bool { return p.Algorithm == a.Name })
	switch {
	case a.Program == nil:
		return fmt.Sprintf("%s, version %s: built into the rocelab above", a.Name, a.Version)
	case at >= 0:
		return fmt.Sprintf("%s, version %s: the program `%s`, with the SHA-256 `%s`. It only runs with "+
			"`--trust`.", a.Name,
			a.Version, list.Programs[at].File, a.Program.SHA256)
	case c.isShipped(a.Name):
		return fmt.Sprintf("%s, version %s: it ran as a program of rocelab's, with the SHA-256 `%s`; the one that is built "+
			"in gives the same", a.Name, a.Version, a.Program.SHA256)
	}
	return fmt.Sprintf("%s, version %s: a program with the SHA-256 `%s`, which is not in here. Ask for it, and give "+
		"`--plugin-dir FOLDER` with the folder that it is in.", a.Name, a.Version, a.Program.SHA256)
}
