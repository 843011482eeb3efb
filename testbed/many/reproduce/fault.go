package reproduce

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// caught returns the criteria that see a fault: met by the row without it and missed with it. Only those of grade P
// count, and the named one, if any. If the row's runs with it have no figures, or are red, all of them count as seeing
// it. A fault that leaves no run shows nothing, which is an error.
func caught(without, with *rowDocument, named string) (names []string, err error) {
	switch {
	case without.Error != "":
		return nil, errors.New("the row has no figures without the fault: " + without.Error)
	case with.Invalid:
		return nil, errors.New("with the fault there is no run: " + with.Error)
	}
	for _, c := range without.Criteria {
		if c.Grade != Pass && c.Name != named || !c.Outcome.Holds() {
			continue
		}
		at := slices.IndexFunc(with.Criteria, func(other criterionDocument) bool {
			return other.Name == c.Name && other.Column == c.Column
		})
		if with.Error == "" && at < 0 {
			return nil, fmt.Errorf("criterion %s is not judged with the fault", c.Name)
		}
		if (with.Error != "" || !with.Criteria[at].Outcome.Holds()) && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names, nil
}

// unseen are the criteria of grade P that a row meets, and that no fault of a list has turned
// red: nothing shows that they can be missed.
func unseen(row *rowDocument, caught []string) (names []string) {
	for _, c := range row.Criteria {
		if c.Grade == Pass && c.Outcome.Holds() && !slices.Contains(caught, c.Name) && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// measured describes the measurements of criteria, for a line about a fault.
func (d *rowDocument) measured(names []string) string {
	if d.Error != "" {
		return "no figures: " + d.Error
	}
	var parts []string
	for _, c := range d.Criteria {
		if slices.Contains(names, c.Name) && !c.Outcome.Holds() {
			parts = append(parts, c.Name+": "+c.Measured)
		}
	}
	return strings.Join(parts, "; ")
}
