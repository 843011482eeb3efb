package reproduce

import (
	"slices"
	"strings"
)

// curve is figures that are points of one curve.
type curve struct {
	// title is the common part of their names, such as "mean RTT", and unit is theirs.
	title, unit string
	// points are the differing parts of their names, such as "n=16"; names are the whole names.
	points, names []string
	// at is which part of the names they are, from 0.
	at int
}

// curvesOf finds the curves of figures, in the order of their first points. A figure whose name has no comma does not
// belong to a curve, and one without a fellow is a curve of one point.
func curvesOf(names, units []string) (curves []curve) {
	for i, name := range names {
		parts := strings.Split(name, ", ")
		if len(parts) == 1 {
			continue
		}
		at := pointAt(parts, names)
		title := strings.Join(without(parts, at), ", ")
		k := slices.IndexFunc(curves, func(c curve) bool { return c.title == title && c.at == at })
		if k < 0 {
			k, curves = len(curves), append(curves, curve{title: title, unit: units[i], at: at})
		}
		curves[k].points, curves[k].names = append(curves[k].points, parts[at]), append(curves[k].names, name)
	}
	return curves
}

// pointAt returns the part of a name that distinguishes a point from others of its curve: the last one, as in "mean
// RTT, n=16", unless names have more fellows that differ only in the value of a key in the middle, as "mean RTT, n=2,
// 1pkt" and "mean RTT, n=4, 1pkt" have.
func pointAt(parts, names []string) (at int) {
	at = len(parts) - 1
	most := len(fellows(parts, at, names))
	for i := at - 1; i > 0; i-- {
		points := fellows(parts, i, names)
		if key, _ := keyOf(points); key != "" && len(points) > most {
			at, most = i, len(points)
		}
	}
	return at
}

// fellows returns the parts at one place of names that are equal at all others.
func fellows(parts []string, at int, names []string) (points []string) {
	for _, name := range names {
		others := strings.Split(name, ", ")
		if len(others) == len(parts) && slices.Equal(without(others, at), without(parts, at)) {
			points = append(points, others[at])
		}
	}
	return points
}

// without are all parts but one.
func without(parts []string, at int) []string { return slices.Delete(slices.Clone(parts), at, at+1) }

// keyOf finds what points have in common: of "n=2" and "n=4" it is "n", of "Kmin 50 KB" and
// "Kmin 100 KB" Kmin. Without such a word they are places as they are.
func keyOf(points []string) (key string, places []string) {
	for _, between := range []string{"=", " "} {
		first, _, _ := strings.Cut(points[0], between)
		shared := !slices.ContainsFunc(points, func(point string) bool {
			word, rest, found := strings.Cut(point, between)
			return !found || word != first || rest == ""
		})
		if !shared {
			continue
		}
		for _, point := range points {
			places = append(places, point[len(first)+len(between):])
		}
		return first, places
	}
	return "", points
}
