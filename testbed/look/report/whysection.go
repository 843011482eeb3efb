package report

import (
	"fmt"

	"github.com/rocelab/rocelab/testbed/look/compare"
)

// whySection is the opening of a page: it shows where the time of the slowest, the median and the fastest flow of each
// variant went. It is empty for runs without the file of causes. Others are the sections of the page, to which it
// leads.
func whySection(variants []*variant, others []section, apart bool) (section, error) {
	s := section{ID: "why", Title: "Time by cause"}
	var shown []*variant
	var flows [][]ranked
	var compared []compare.Variant
	left := 0
	for _, v := range variants {
		list, err := v.causes()
		if err != nil {
			return s, err
		}
		switch of := rankedOf(list); {
		case len(of) == 0:
		case len(shown) == variantsShown:
			left++
		default:
			beside := othersOf(list)
			shown, flows = append(shown, v), append(flows, append(of, beside...))
			compared = append(compared, v.compared(list))
			s.Sentences = append(s.Sentences, of[0].sentence(v.name(of[0].run)))
			if len(variants) == 1 {
				for _, f := range beside {
					s.Sentences = append(s.Sentences, f.sentence(v.name(f.run)))
				}
			}
		}
	}
	if len(shown) == 0 {
		return section{}, nil
	}
	if !apart {
		s.Sentences = append(s.Sentences, compare.Causes(compared)...)
	}
	s.Bars = barsOf(s.ID, shown, flows)
	found(others).link(s.Bars)
	if left > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Drawn are the first %d variants of %d.", len(shown), len(shown)+left))
	}
	if apart {
		return s, nil
	}
	var err error
	s.Plots, err = bottleneckPlots(shown, others, bottlenecks(flows))
	return s, err
}
