package bench

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

//go:embed flows.yaml
var flows []byte

// Contest is a case that two programs run from its file, each in a process of its own.
type Contest struct {
	// Name is "incast/dcqcn", "hosts/8192" and so on.
	Name string
	// Long marks a case that takes a minute or more: it is for those who name it, and may have fewer rounds.
	Long bool
	// Hosts is the number of hosts of the scenario.
	Hosts int64
	// Page makes the runs write their folder with the page, which others leave out.
	Page bool
	// source is the scenario, flags are the flags of rocelab run behind it, and set its overrides. small are more
	// overrides for counting, as callgrind takes 50 times as long, and empty overrides that leave almost no traffic.
	source            []byte
	flags             []string
	set, small, empty []string
}

// arguments returns the arguments of rocelab run for the case, with overrides that take the place of its own.
func (c *Contest) arguments(over ...string) []string {
	args := slices.Clone(c.flags)
	set := slices.Concat(c.set, over)
	for i, pair := range set {
		path, _, _ := strings.Cut(pair, "=")
		if !slices.ContainsFunc(set[i+1:], func(later string) bool { return strings.HasPrefix(later, path+"=") }) {
			args = append(args, "--set", pair)
		}
	}
	return args
}

// contests returns the cases for comparing two programs.
func contests() []Contest {
	var all []Contest
	for _, name := range []string{"dcqcn", "pc4", "dctcp", "hpcc", "swift", "none"} {
		all = append(all, inIncast("incast/"+name, name, "100MB"))
	}
	paged := inIncast("page/incast", "dcqcn", "4MB")
	paged.Page = true
	all = append(all, paged)
	for _, name := range []string{"dcqcn", "pc4"} {
		plugin := inIncast("plugin/"+name, name, "10MB")
		plugin.flags = append(plugin.flags, "--run-as", "process")
		all = append(all, plugin)
	}
	all = append(all,
		inFatTree("hosts/1024", 16, "300KB"),
		inFatTree("hosts/8192", 32, "60KB"),
		inFatTree("hosts/31250", 50, "10KB"),
		Contest{
			Name:   "two-sites",
			Long:   true,
			Hosts:  1024,
			source: twoDCSource(),
			flags:  []string{"--variant", twoDCVariants[0]},
			set:    []string{"traffic.size=1MB"},
			small:  []string{"traffic.size=64KB"},
			empty:  []string{"traffic.size=1KB"},
		},
		Contest{
			Name:   "flows/1000000",
			Long:   true,
			Hosts:  17,
			source: flows,
			small:  []string{"traffic.events=2000"},
			empty:  []string{"traffic.events=1"},
		})
	return all
}

// inIncast is the incast of 16 flows of a size.
func inIncast(name, variant, size string) Contest {
	return Contest{
		Name:   name,
		Hosts:  17,
		source: incast,
		flags:  []string{"--variant", variant},
		set:    []string{"traffic.size=" + size},
		small:  []string{"traffic.size=3MB"},
		empty:  []string{"traffic.size=1KB"},
	}
}

// inFatTree is a permutation of flows of a size at a fixed rate, over a fat tree of switches of k ports.
func inFatTree(name string, k int64, size string) Contest {
	hosts := k * k * k / 4
	return Contest{
		Name:   name,
		Long:   hosts > 1024,
		Hosts:  hosts,
		source: permutation,
		flags:  []string{"--variant", "fixed"},
		set:    []string{"topology.k=" + strconv.FormatInt(k, 10), "traffic.size=" + size},
		small:  []string{"topology.k=8", "traffic.size=100KB"},
		empty:  []string{"traffic.size=1KB"},
	}
}

// SelectContests returns the cases whose names contain one of the words, all but long ones without words. A long one is
// selected by a word with which its name begins. The names are all cases'.
func SelectContests(words []string) (chosen []Contest, names []string) {
	for _, c := range contests() {
		names = append(names, c.Name)
		if len(words) == 0 && !c.Long || slices.ContainsFunc(words, func(word string) bool {
			return word != "" && (strings.HasPrefix(c.Name, word) || !c.Long && strings.Contains(c.Name, word))
		}) {
			chosen = append(chosen, c)
		}
	}
	return chosen, names
}
