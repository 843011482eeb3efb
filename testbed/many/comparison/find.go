package comparison

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/registry"
)

// Find finds the algorithm of an entry, started if it is a program.
func (e Entry) Find(algorithms *registry.Registry) (cc.Algorithm, error) {
	if e.IsPath {
		if err := e.CheckPath(); err != nil {
			return nil, err
		}
		return algorithms.Add(e.Name)
	}
	a, err := algorithms.Lookup(e.Name)
	return a, e.HintPath(err)
}

// CheckPath refuses the path of a program that is not there: a slip of its author, not a fault of a plugin.
func (e Entry) CheckPath() error {
	if _, err := os.Stat(e.Name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--algorithm %s: there is no such file", e.Name)
	}
	return nil
}

// HintPath adds to the error about an algorithm how to write its program, if a file of the folder has that name.
func (e Entry) HintPath(err error) error {
	if info, lost := os.Stat(e.Name); err != nil && lost == nil && !info.IsDir() {
		return fmt.Errorf("%w; the file of that name is written ./%s", err, e.Name)
	}
	return err
}

// CheckFits refuses parameters that an algorithm does not have or refuses.
func (e Entry) CheckFits(a cc.Algorithm) error {
	p, err := hosting.Parse(a.Describe(), e.Params)
	if err == nil {
		_, err = a.New(p)
	}
	if err != nil {
		return fmt.Errorf("algorithm %s: %w%s", e.Text, err, meantParam(err, a))
	}
	return nil
}

// meantParam returns the parameter that was probably meant, if an algorithm does not have the one that err is about.
func meantParam(err error, a cc.Algorithm) string {
	var wrong *cc.ParamError
	if !errors.As(err, &wrong) {
		return ""
	}
	var names []string
	for _, p := range a.Describe().Params {
		names = append(names, p.Name)
	}
	if near := spelling.Nearest(wrong.Param, names); near != "" && !slices.Contains(names, wrong.Param) {
		return "; did you mean " + near + "?"
	}
	return ""
}

// VariantName makes a variant's name of the flag's text, dcqcn-set-paper of dcqcn:set=paper and cc-mine of
// ./build/cc-mine, and keeps it distinct from the taken ones.
func (e Entry) VariantName(taken map[string]bool) string {
	const most = 60 // a scenario takes 64, and a number may follow
	text := e.Text
	if e.IsPath {
		text = filepath.Base(e.Name) + strings.TrimPrefix(e.Text, e.Name)
	}
	name := strings.Map(func(char rune) rune {
		if char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= '0' && char <= '9' ||
			strings.ContainsRune("_.+-", char) {
			return char
		}
		return '-'
	}, text)
	if name = strings.TrimLeft(name, "_.+-"); name == "" {
		name = "algorithm"
	}
	name = name[:min(len(name), most)]
	for base, n := name, 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	taken[name] = true
	return name
}
