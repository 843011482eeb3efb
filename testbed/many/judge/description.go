package judge

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// handshake starts the program.
func (t *trial) handshake() Row {
	must(t.refused)
	program, why := t.program()
	if program.Path == "" {
		return Row{Result: Skipped, Remark: "built in, not a program: " + why}
	}
	a, end := t.start(program)
	d := a.Describe()
	must(end.Close())
	var c criteria
	c.want(d.Name == t.about.Name && d.Version == t.about.Version,
		"%s is not the algorithm that is built in, %s %s: rebuild it", program, t.about.Name, t.about.Version)
	return c.row("", "%s %s", d.Name, d.Version)
}

var (
	namePattern    = regexp.MustCompile(`^[a-z0-9-]+$`)
	versionPattern = regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	paramPattern   = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
)

// parameters reads the description and tries every bound.
func (t *trial) parameters() Row {
	algorithm := t.algorithm()
	about := algorithm.Describe()
	missed := describes(about)
	p, err := hosting.Parse(about, t.Given)
	if err == nil {
		_, err = algorithm.New(p)
	}
	missed.want(err == nil, "refuses the defaults: %v", err)
	tried := 0
	for _, p := range about.Params {
		for _, v := range values(p) {
			tried++
			err := tries(algorithm, about, p.Name, v)
			missed.want(err == nil, "%v", err)
		}
	}
	return missed.row("", "%d parameters, %d values", len(about.Params), tried)
}

// describes are the criteria of a description.
func describes(about cc.Description) (all criteria) {
	all.want(namePattern.MatchString(about.Name), "name %q, allowed are lower case, digits and dashes", about.Name)
	all.want(versionPattern.MatchString(about.Version), "version %q, allowed is major.minor.patch", about.Version)
	all.want(about.Summary != "" && !strings.Contains(about.Summary, "\n"), "summary %q, allowed is one line",
		about.Summary)
	all.want(about.Source != "", "no source")
	all.want(about.Recovery >= 0, "recovery %v, allowed is 0 (50 ms) and more", about.Recovery)
	if err := hosting.CheckValues(&about); err != nil {
		all.want(false, "names %v", err)
	}
	if err := hosting.CheckParams(&about); err != nil {
		all.want(false, "declares %v", err)
	}
	for _, v := range about.Values {
		all.want(v.Doc != "", "value %s: no documentation", v.Name)
	}
	var names []string
	for _, p := range about.Params {
		all.want(paramPattern.MatchString(p.Name), "parameter %q, allowed is snake_case", p.Name)
		all.want(!slices.Contains(names, p.Name), "parameter %s twice", p.Name)
		all.want(p.Doc != "", "parameter %s: no documentation", p.Name)
		all.want(p.Source != "", "parameter %s: no source", p.Name)
		all.want(p.Kind <= cc.KindSwitch, "parameter %s: kind %d, allowed are 0 to %d", p.Name, p.Kind, cc.KindSwitch)
		all.want(p.Kind == cc.KindChoice || len(p.Choices) == 0, "parameter %s: only kind choice has choices", p.Name)
		all.want(p.Default != "" || strings.Contains(strings.ToLower(p.Doc), "default"),
			"parameter %s: no default, and no word on it", p.Name)
		names = append(names, p.Name)
	}
	return all
}

// values are those at the ends of what a parameter may be, default included.
func values(param cc.Param) []string {
	list := slices.Clone(param.Choices)
	if param.Kind == cc.KindSwitch {
		list = []string{"true", "false"}
	}
	for _, v := range []string{param.Default, param.Min, param.Max} {
		if v != "" && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// tries sets one parameter. It may be refused, since others bound it, but by
// its name or that of another.
func tries(algorithm cc.Algorithm, about cc.Description, name, value string) error {
	p, err := hosting.Parse(about, map[string]string{name: value})
	if err != nil {
		return fmt.Errorf("%s=%s, which the description allows: %w", name, value, err)
	}
	_, err = algorithm.New(p)
	var named *cc.ParamError
	known := func(p cc.Param) bool { return p.Name == named.Param }
	if err == nil || errors.As(err, &named) && slices.ContainsFunc(about.Params, known) {
		return nil
	}
	return fmt.Errorf("%s=%s is refused without the name of a parameter: %w", name, value, err)
}
