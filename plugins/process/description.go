//go:build linux && !mem

package process

import (
	"fmt"
	"io/fs"
	"regexp"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// largestAnswer bounds an answer of package control, in bytes: a description of a
// thousand parameters is far below.
const largestAnswer = 1 << 20

// largestName bounds the name of an algorithm, of its version, of its runtime and of a
// parameter, largestPath that of a file, in bytes; mostParams how many parameters there
// are, mostFiles how many files.
const (
	largestName = 64
	largestPath = 256
	mostParams  = 1000
	mostFiles   = 1000
)

var (
	algorithmName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
	paramName     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	digest        = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// checkDescription returns the fault of a description, "" if it has none. A description that passes can be looked up,
// configured and printed.
func checkDescription(d *cc.Description) string {
	switch {
	case d.Name == "":
		return "serves an algorithm without a name"
	case len(d.Name) > largestName || !algorithmName.MatchString(d.Name):
		return fmt.Sprintf("serves an algorithm called %q: allowed are up to %d letters, digits and . _ + -",
			shorten(d.Name, 60), largestName)
	case len(d.Version) > largestName:
		return fmt.Sprintf("has a version of %d B, allowed are %d", len(d.Version), largestName)
	case d.Recovery < 0:
		return fmt.Sprintf("declares that it recovers within %v, allowed is 0 and more", d.Recovery)
	case len(d.Params) > mostParams:
		return fmt.Sprintf("has %d parameters, allowed are %d", len(d.Params), mostParams)
	}
	for i := range d.Params {
		param := &d.Params[i]
		switch {
		case len(param.Name) > largestName || !paramName.MatchString(param.Name):
			return fmt.Sprintf("has a parameter called %q: allowed are up to %d letters, digits and _", shorten(param.Name, 60),
				largestName)
		case param.Kind > cc.KindSwitch:
			return fmt.Sprintf("has the parameter %s of kind %d, which this rocelab does not know", param.Name, param.Kind)
		}
		for _, word := range append([]string{param.Default, param.Min, param.Max}, param.Choices...) {
			if terminal.Line(word) != word {
				return fmt.Sprintf("has the parameter %s with the value %q, which cannot be shown", param.Name, shorten(word, 60))
			}
		}
	}
	if err := hosting.CheckValues(d); err != nil {
		return fmt.Sprintf("names %v", err)
	}
	if err := hosting.CheckParams(d); err != nil {
		return fmt.Sprintf("declares %v", err)
	}
	if _, err := hosting.Parse(*d, nil); err != nil {
		return fmt.Sprintf("refuses its own defaults: %v", err)
	}
	return ""
}

// checkInterpreter returns the fault of an interpreter and the files that it runs, "" if they have none.
func checkInterpreter(i *hosting.Interpreter) string {
	switch {
	case len(i.Runtime) > largestName:
		return fmt.Sprintf("has a runtime of %d B, allowed are %d", len(i.Runtime), largestName)
	case len(i.Files) > mostFiles:
		return fmt.Sprintf("consists of %d files, allowed are %d", len(i.Files), mostFiles)
	}
	for _, file := range i.Files {
		if !fs.ValidPath(file.Name) || len(file.Name) > largestPath || terminal.Line(file.Name) != file.Name ||
			!digest.MatchString(file.SHA256) {
			return fmt.Sprintf("names a file %q with the SHA-256 %q: allowed are a path below its folder and 64 digits",
				shorten(file.Name, 60), shorten(file.SHA256, 64))
		}
	}
	return ""
}

// interpreter is the host's reading of what runs a plugin.
func interpreter(in *control.Description) hosting.Interpreter {
	made := hosting.Interpreter{Runtime: terminal.Line(in.Runtime)}
	for _, file := range in.Files {
		made.Files = append(made.Files, hosting.SourceFile{Name: file.Name, SHA256: file.Sha256})
	}
	return made
}

// description is the host's reading of a plugin's answer. Its prose is fit to be shown.
func description(in *control.Description) cc.Description {
	made := cc.Description{
		Name:         in.Name,
		Version:      terminal.Line(in.Version),
		Summary:      prose(in.Summary),
		Source:       prose(in.Source),
		Uncontrolled: in.Uncontrolled,
		Recovery:     unit.Duration(in.Recovery),
	}
	for _, v := range in.Values {
		made.Values = append(made.Values, cc.Value{Name: v.Name, Unit: v.Unit, Doc: prose(v.Doc)})
	}
	for _, p := range in.Params {
		made.Params = append(made.Params, cc.Param{
			Name:    p.Name,
			Kind:    cc.ParamKind(min(p.Kind, 255)),
			Default: p.Default,
			Min:     p.Min,
			Max:     p.Max,
			Choices: p.Choices,
			Doc:     prose(p.Doc),
			Source:  prose(p.Source),
			File:    p.File,
		})
	}
	return made
}

// prose is text of a plugin that is read by people.
func prose(text string) string { return terminal.Text(text) }
