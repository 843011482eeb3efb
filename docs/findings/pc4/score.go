package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// set is a set of constants and how its runs came out.
type set struct {
	// names and values are the swept keys, in the order of the table.
	names, values []string
	outcomes      []outcome
}

// outcome is one run: its case, a variant of the scenario, and its shortfall from the case's demand, as a share of the
// bound, 0 if it is met. Metrics are all of its row.
type outcome struct {
	name      string
	shortfall float64
	metrics   map[string]string
}

// label returns the set's keys and values, short enough for a table.
func (s *set) label() string {
	var text []string
	for i, name := range s.names {
		text = append(text, name[strings.LastIndexByte(name, '.')+1:]+"="+s.values[i])
	}
	return strings.Join(text, ",")
}

// met returns the number of cases met, in all seeds, and the names of the missed ones.
func (s *set) met() (met int, missed []string) {
	all := map[string]bool{}
	for _, o := range s.outcomes {
		all[o.name] = true
		if o.shortfall > 0 && !slices.Contains(missed, o.name) {
			missed = append(missed, o.name)
		}
	}
	return len(all) - len(missed), missed
}

// shortfall returns the mean over the runs.
func (s *set) shortfall() float64 {
	sum := 0.0
	for _, o := range s.outcomes {
		sum += o.shortfall
	}
	return sum / float64(len(s.outcomes))
}

// readSets reads pairs of a scenario and the table of its sweep, as CSV. The first table defines the sets; a row of
// another belongs to each set that has its values of the common keys.
func readSets(files []string) ([]*set, error) {
	var sets []*set
	for i := 0; i < len(files); i += 2 {
		asked, err := readChecks(files[i])
		if err != nil {
			return nil, err
		}
		rows, err := readTable(files[i+1])
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			found := slices.IndexFunc(sets, func(s *set) bool { return s.agrees(&row.set) })
			if found < 0 && i > 0 {
				return nil, fmt.Errorf("%s: no set of %s is %s", files[i+1], files[1], row.set.label())
			}
			if found < 0 {
				found, sets = len(sets), append(sets, &set{names: row.set.names, values: row.set.values})
			}
			if len(asked) > 0 && len(asked[row.name]) == 0 {
				continue // it asks for nothing, it is there to compare with
			}
			row.shortfall = shortfall(asked[row.name], row.metrics)
			for _, s := range sets[found:] {
				if s.agrees(&row.set) {
					s.outcomes = append(s.outcomes, row.outcome)
				}
			}
		}
	}
	return sets, nil
}

// agrees reports whether two sets have the same values of the keys that both have.
func (s *set) agrees(other *set) bool {
	for i, name := range s.names {
		if at := slices.Index(other.names, name); at >= 0 && other.values[at] != s.values[i] {
			return false
		}
	}
	return true
}

// readChecks returns what each variant of a scenario asks for, nothing without a file.
func readChecks(file string) (map[string][]string, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var scenario struct {
		Variants []struct {
			Name   string
			Expect struct{ Checks []string }
		}
	}
	if err := yaml.Unmarshal(text, &scenario); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	checks := map[string][]string{}
	for _, v := range scenario.Variants {
		checks[v.Name] = v.Expect.Checks
	}
	return checks, nil
}

type row struct {
	set set
	outcome
}

// readTable reads the output of rocelab sweep table --format csv: run, the keys, variant, seed,
// verdict and so on.
func readTable(file string) ([]row, error) {
	text, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer text.Close() // it was only read
	records, err := csv.NewReader(text).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	variant := slices.Index(records[0], "variant")
	if variant < 1 {
		return nil, fmt.Errorf("read %s: it has no column variant", file)
	}
	var rows []row
	for _, record := range records[1:] {
		r := row{outcome: outcome{name: record[variant], metrics: map[string]string{}}}
		r.set.names, r.set.values = records[0][1:variant], record[1:variant]
		for i, name := range records[0] {
			r.metrics[name] = record[i]
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// shortfall returns by how much metrics miss the worst of the checks, as a share of its bound and at most
// 1. A metric that there is not is missed by 1.
func shortfall(checks []string, metrics map[string]string) float64 {
	worst := 0.0
	for _, check := range checks {
		var name, op string
		var bound float64
		if _, err := fmt.Sscan(check, &name, &op, &bound); err != nil {
			return 1
		}
		value, err := strconv.ParseFloat(metrics[name], 64)
		by := 1.0
		switch {
		case err != nil:
		case op == ">=":
			by = (bound - value) / bound
		case op == "<=":
			by = (value - bound) / bound
		case op == "==" && value == bound:
			by = 0
		}
		worst = max(worst, min(by, 1))
	}
	return worst
}

// figures are the further figures of each set: metrics of cases, as a share of unit.
var figures = []struct {
	column, name, metric string
	unit                 float64
}{
	{"rtt_16_us", "f6a-16", "rtt_mean_us", 1},
	{"clocks_slowdown", "n1-8", "slowdown_mean", 8},
	{"utilisation_5000", "t2-5000", "utilisation", 1},
	{"jain_paths", "f11-1", "jain", 1},
}

// figure returns the mean of a metric over the seeds of a case, "" if there is none.
func (s *set) figure(name, metric string, unit float64) string {
	sum, n := 0.0, 0
	for _, o := range s.outcomes {
		if o.name != name {
			continue
		}
		value, err := strconv.ParseFloat(o.metrics[metric], 64)
		if err != nil {
			return ""
		}
		sum, n = sum+value/unit, n+1
	}
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(sum/float64(n), 'f', 4, 64)
}

// missedBy returns the missed cases, with the shortfall in percent of the worst seed.
func (s *set) missedBy() string {
	_, missed := s.met()
	for i, name := range missed {
		worst := 0.0
		for _, o := range s.outcomes {
			if o.name == name {
				worst = math.Max(worst, o.shortfall)
			}
		}
		missed[i] = fmt.Sprintf("%s %.2g", name, 100*worst)
	}
	return strings.Join(missed, " + ")
}

// writeScores writes the sets of a search as CSV, a line for each and the best first: cases met, mean shortfall, missed
// cases, and the figures.
func writeScores(to io.Writer, title string, sets []*set) error {
	slices.SortStableFunc(sets, func(a, b *set) int {
		more, _ := a.met()
		less, _ := b.met()
		return cmp.Or(cmp.Compare(less, more), cmp.Compare(a.shortfall(), b.shortfall()))
	})
	out := csv.NewWriter(to)
	header := []string{"search", "set", "met", "of", "shortfall_percent", "missed_percent"}
	for i := range figures {
		header = append(header, figures[i].column)
	}
	lines := [][]string{header}
	for _, s := range sets {
		met, missed := s.met()
		line := []string{title, s.label(), strconv.Itoa(met), strconv.Itoa(met + len(missed)),
			strconv.FormatFloat(100*s.shortfall(), 'f', 3, 64), s.missedBy()}
		for i := range figures {
			line = append(line, s.figure(figures[i].name, figures[i].metric, figures[i].unit))
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}
