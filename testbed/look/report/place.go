package report

import (
	"slices"
	"strings"
)

const (
	// flowsAlike is up to how many flows of a picture all have the variant's colour.
	flowsAlike = 4
	// restOfFlows is the mark of flows that are grey.
	restOfFlows = "rest"
)

// places are the marks of a run's slowest, median and fastest flow by name; none of a run without the file of causes.
func (r *run) places() (map[string]string, error) {
	list, err := r.causes()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, slowestFirst)
	marks := map[string]string{}
	for _, f := range rankedOf(list) {
		marks[f.flow] = strings.ToLower(strings.TrimSuffix(f.place, " flow"))
	}
	return marks, nil
}

// flowsOfPicture returns at most as many flows as a picture of single lines holds, flows with a place last, as they are
// drawn above the others.
func flowsOfPicture(flows []string, places map[string]string) []string {
	var rest, placed []string
	for _, place := range placesDrawn {
		for _, name := range flows {
			if places[name] == place {
				placed = append(placed, name)
			}
		}
	}
	for _, name := range flows {
		if places[name] == "" && len(rest)+len(placed) < flowsDrawn {
			rest = append(rest, name)
		}
	}
	return append(rest, placed...)
}

// placesDrawn are the marks in the order in which their lines are drawn.
var placesDrawn = []string{"median", "fastest", "slowest"}

// placed are the series of the flows that have a place, the slowest last, so that it is drawn above the others.
func (f *seriesFile) placed(places map[string]string) []string {
	var list []string
	for _, name := range f.order {
		if places[strings.TrimSuffix(name, "\x00")] != "" {
			list = append(list, name)
		}
	}
	at := func(name string) int { return slices.Index(placesDrawn, places[strings.TrimSuffix(name, "\x00")]) }
	slices.SortStableFunc(list, func(a, b string) int { return at(a) - at(b) })
	return list
}

// restFirst returns all series, flows with a place last.
func (f *seriesFile) restFirst(places map[string]string) []string {
	list := slices.DeleteFunc(slices.Clone(f.order), func(name string) bool {
		return places[strings.TrimSuffix(name, "\x00")] != ""
	})
	return append(list, f.placed(places)...)
}
