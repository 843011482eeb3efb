package conformance

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
)

// handshake starts the program.
func (k *kit) handshake() Row {
	if k.refused != nil {
		return missed(k.refused)
	}
	path, why := k.program()
	if path == "" {
		return Row{Result: NotChecked, Remark: "built in, and no program: " + why}
	}
	a, close, err := start(path)
	if err != nil {
		return missed(err)
	}
	d := a.Describe()
	if err := close.Close(); err != nil {
		return missed(err)
	}
	row := Row{Result: Pass, Figure: d.Name + " " + d.Version}
	if d.Name != k.about.Name || d.Version != k.about.Version {
		row.Result, row.Allowed = Miss, k.about.Name+" "+k.about.Version
		row.Remark = path + " is not the algorithm that is built in: rebuild it"
	}
	return row
}

var (
	namePattern    = regexp.MustCompile(`^[a-z0-9-]+$`)
	versionPattern = regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	paramPattern   = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
)

// parameters reads the description and tries every bound.
func (k *kit) parameters() Row {
	return k.with(func(a cc.Algorithm) Row {
		d := a.Describe()
		wrong := describes(d)
		if _, err := k.configure(a); err != nil {
			wrong = append(wrong, fmt.Sprintf("refuses the defaults: %v", err))
		}
		tried := 0
		for _, p := range d.Params {
			for _, v := range values(p) {
				tried++
				if err := tries(a, d, p.Name, v); err != nil {
					wrong = append(wrong, err.Error())
				}
			}
		}
		row := Row{Result: Pass, Figure: fmt.Sprintf("%d parameters, %d values", len(d.Params), tried), Remark: strings.Join(wrong, "; ")}
		if len(wrong) > 0 {
			row.Result = Miss
		}
		return row
	})
}

// describes lists what is wrong with a description.
func describes(d cc.Description) (wrong []string) {
	add := func(holds bool, format string, args ...any) {
		if !holds {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	add(namePattern.MatchString(d.Name), "name %q, allowed are lower case, digits and dashes", d.Name)
	add(versionPattern.MatchString(d.Version), "version %q, allowed is major.minor.patch", d.Version)
	add(d.Summary != "" && !strings.Contains(d.Summary, "\n"), "summary %q, allowed is one line", d.Summary)
	add(d.Source != "", "no source")
	add(d.Recovery >= 0, "recovery %v, allowed is 0 (50 ms) and more", d.Recovery)
	var names []string
	for _, p := range d.Params {
		add(paramPattern.MatchString(p.Name), "parameter %q, allowed is snake_case", p.Name)
		add(!slices.Contains(names, p.Name), "parameter %s twice", p.Name)
		add(p.Doc != "", "parameter %s: no documentation", p.Name)
		add(p.Source != "", "parameter %s: no source", p.Name)
		add(p.Kind <= cc.KindSwitch, "parameter %s: kind %d, allowed are 0 to %d", p.Name, p.Kind, cc.KindSwitch)
		add(p.Kind == cc.KindChoice || len(p.Choices) == 0, "parameter %s: choices go with kind choice alone", p.Name)
		add(p.Default != "" || strings.Contains(strings.ToLower(p.Doc), "default"), "parameter %s: no default, and no word on it", p.Name)
		names = append(names, p.Name)
	}
	return wrong
}

// values are those at the ends of what a parameter may be, default included.
func values(p cc.Param) []string {
	list := slices.Clone(p.Choices)
	if p.Kind == cc.KindSwitch {
		list = []string{"true", "false"}
	}
	for _, v := range []string{p.Default, p.Min, p.Max} {
		if v != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// tries sets one parameter. It may be refused, since others bound it, but by
// its name or that of another.
func tries(a cc.Algorithm, d cc.Description, name, value string) error {
	p, err := cc.ParseParams(d, map[string]string{name: value})
	if err != nil {
		return fmt.Errorf("%s=%s, which the description allows: %w", name, value, err)
	}
	_, err = a.New(p)
	var named *cc.ParamError
	if err == nil || errors.As(err, &named) && slices.ContainsFunc(d.Params, func(q cc.Param) bool { return q.Name == named.Param }) {
		return nil
	}
	return fmt.Errorf("%s=%s is refused without the name of a parameter: %w", name, value, err)
}
