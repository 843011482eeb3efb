package sweep

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// place is one place of a key on an axis of a picture: a value, or several beside each other.
type place struct {
	label  string
	values map[string]bool
}

// mostPlaces bounds the places that a picture has room for; a key with more values, such as
// one that is drawn, has groups of them.
const (
	mostPlaces = 24
	groups     = 8
)

// placesOf places the values of a key: quantities by their size, others as they are. It is nil if there are too many
// without a size.
func placesOf(values []string) (places []place) {
	sizes := make(map[string]float64, len(values))
	kinds, sized := map[string]bool{}, true
	for _, text := range values {
		size, kind, _, ok := quantity(text)
		sizes[text], kinds[kind], sized = size, true, sized && ok
	}
	if sized = sized && len(kinds) == 1; sized {
		values = slices.Clone(values)
		slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(sizes[a], sizes[b]) })
	}
	if len(values) <= mostPlaces {
		for _, text := range values {
			places = append(places, place{text, map[string]bool{text: true}})
		}
		return places
	}
	if !sized {
		return nil
	}
	for i := range groups {
		group := place{values: map[string]bool{}}
		share := values[i*len(values)/groups : (i+1)*len(values)/groups]
		for _, text := range share {
			group.values[text] = true
		}
		_, _, middle, _ := quantity(share[len(share)/2])
		group.label = "~" + middle
		places = append(places, group)
	}
	return places
}

func labels(places []place) (list []string) {
	for _, p := range places {
		list = append(list, p.label)
	}
	return list
}

// quantity is the size of a value, what it is a size of, "" for numbers, and the text with the
// fewest digits: drawn values are in the smallest unit.
func quantity(text string) (size float64, kind, short string, ok bool) {
	if size, err := strconv.ParseFloat(text, 64); err == nil {
		return size, "", text, true
	}
	if v, err := unit.ParseBytes(text); err == nil {
		return float64(v), "bytes", v.String(), true
	}
	if v, err := unit.ParseDuration(text); err == nil {
		return float64(v), "duration", v.String(), true
	}
	if v, err := unit.ParseBitRate(text); err == nil {
		return float64(v), "rate", v.String(), true
	}
	if v, err := unit.ParseLength(text); err == nil {
		return float64(v), "length", v.String(), true
	}
	return 0, "", text, false
}
