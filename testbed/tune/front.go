package tune

import "math"

// cost is the product of the parts of a score after the first: what the first is held
// against. 1 for a score of one part.
func (x Score) cost() float64 {
	product := 1.0
	for _, part := range x[1:] {
		product *= part
	}
	return product
}

// behind is how much worse a score is than another in the part in which it is worst: 0.05 is
// 5 %. 0 where it is worse in none.
func (x Score) behind(y Score) (worst float64) {
	for i := range x {
		worst = max(worst, x[i]/y[i]-1)
	}
	return worst
}

// Excess is how far a score lies behind the front of a list: how much worse than the front's
// nearest point it is in the part in which it is worst. Every part counts for itself, so a
// score as quick as the front's and with queues twice as long lies 100 % behind. 0 on the
// front, and for a list without scores.
func Excess(x Score, list []Score) float64 {
	nearest := math.Inf(1)
	for _, i := range front(list) {
		nearest = min(nearest, x.behind(list[i]))
	}
	if math.IsInf(nearest, 1) {
		return 0
	}
	return nearest
}

// front returns the places of the scores than which no other is at least as good in every
// part, and better in one. Of equal ones the first is kept.
func front(list []Score) (places []int) {
	for i, x := range list {
		if x != nil && !beaten(i, x, list) {
			places = append(places, i)
		}
	}
	return places
}

func beaten(place int, x Score, list []Score) bool {
	for j, y := range list {
		if y == nil || j == place || y.behind(x) > 0 {
			continue
		}
		if x.behind(y) > 0 || j < place {
			return true
		}
	}
	return false
}

// choose returns the place of the advice: of those whose first score is within slack of
// the best, the one of the least cost; of scores with one part, and of equal costs, the one
// whose first part is the least, and then the first.
func choose(list []Score, allowed func(place int) bool, slack float64) (chosen int) {
	best := 0.0
	for i, x := range list {
		if x != nil && allowed(i) && (best == 0 || x[0] < best) {
			best = x[0]
		}
	}
	chosen, least := -1, 0.0
	for i, x := range list {
		if x == nil || !allowed(i) || x[0] > best*(1+slack) {
			continue
		}
		if chosen < 0 || x.cost() < least || x.cost() == least && x[0] < list[chosen][0] {
			chosen, least = i, x.cost()
		}
	}
	return chosen
}
