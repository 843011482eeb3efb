package tune

// behind is how much worse a score is than another in its worst part: 0.05 is 5 %. 0 if it is not worse in any.
func (x score) behind(y score) (worst float64) {
	for i := range x {
		worst = max(worst, x[i]/y[i]-1)
	}
	return worst
}

// front returns the places of the scores than which no other is at least as good in every
// part, and better in one. Of equal ones the first is kept.
func front(list []score) (places []int) {
	for i, x := range list {
		if x != nil && !beaten(i, x, list) {
			places = append(places, i)
		}
	}
	return places
}

func beaten(place int, x score, list []score) bool {
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

// choose returns the place of the best by the rule of the advice: of those whose first score is within slack of the
// best, the one of the least cost; of equal costs the one whose first part is the least, and then the first.
func choose(list []score, allowed func(place int) bool, slack float64) (chosen int) {
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
		if cost := x.cost(); chosen < 0 || cost < least || cost == least && x[0] < list[chosen][0] {
			chosen, least = i, cost
		}
	}
	return chosen
}

// cost is the product of the parts of a score after the first, of one with one part that.
func (x score) cost() float64 {
	if len(x) == 1 {
		return x[0]
	}
	product := 1.0
	for _, part := range x[1:] {
		product *= part
	}
	return product
}
