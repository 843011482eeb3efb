package report

import (
	"fmt"
	"slices"
	"strings"
)

// section is a part of a page: pictures, and tables of the data behind them.
type section struct {
	ID, Title string
	// Lead describes the subject, Sentences the findings.
	Lead      string
	Sentences []string
	// Empty is the reason why there is no picture.
	Empty string
	// Bars are before the pictures, nil for none.
	Bars     *bars
	Plots    []*plot
	Drawings []drawing
	Tables   []table
	// Notes are the omissions of the pictures.
	Notes []string
}

// sections make the parts of a page in their order.
var sections = []struct {
	mix  mix
	make func([]*variant) (section, error)
}{
	{everything, slowSection},
	{nothing, comparisonSection},
	{tables, queueSection},
	{everything, rateSection},
	{tables, completionSection},
	{everything, collectiveSection},
	{everything, portSection},
	{everything, fabricSection},
	{everything, lifeSection},
	{everything, outageSection},
	{tables, pauseSection},
	{tables, metricSection},
}

// mix is a section's content for runs of different scenarios: its pictures may lay several variants over each other,
// which is meaningful for one scenario only.
type mix uint8

const (
	nothing mix = iota
	tables
	everything
)

// withoutPictures returns the section with its tables only.
func (s section) withoutPictures() section {
	s.Lead, s.Empty, s.Plots, s.Drawings = "", "", nil, nil
	return s
}

// Why there is no picture over time: unasked for, not wanted, and of runs without flows.
const (
	noSeries  = "The recording has nothing of this: no bin has a value."
	notWanted = "No series were recorded: the run had --no-record."
	noFlows   = "The run had no flow of its own: the frames of foreign hosts are in the queues and ports."
)

// missing returns the reason why there is no picture over time.
func missing(variants []*variant) string {
	for _, v := range variants {
		for _, r := range v.runs {
			if r.folder.manifest.Overrides["record.off"] != "true" {
				return noSeries
			}
		}
	}
	return notWanted
}

func queueSection(variants []*variant) (section, error) {
	s := section{ID: "queue", Title: "Queue over time"}
	p, err := queuePlot(variants)
	if err != nil {
		return s, err
	}
	if len(p.Views) > 0 {
		s.Lead = "The length of an egress queue, a line a run: each point is the longest that it was in a bin of model " +
			"time." + p.explained()
		s.Plots = append(s.Plots, p)
	} else {
		s.Empty = missing(variants)
	}
	s.Notes = leftOut(variants)
	return s, s.add(variants, longQueues, xoffs)
}

// explained explains the other elements of a picture of queues.
func (p *plot) explained() (text string) {
	marks, pauses := false, false
	for _, v := range p.Views {
		marks = marks || len(v.Levels) > 0
		pauses = pauses || slices.ContainsFunc(v.Lines, func(l line) bool { return l.Kind == tickLine })
	}
	if marks {
		text += " Between Kmin and Kmax frames are marked by chance, above Kmax all."
	}
	if pauses {
		text += " Marks at the upper edge are bins in which the port was paused."
	}
	return text
}

// leftOut lists the omissions of the runs' recordings, once for each variant.
func leftOut(variants []*variant) (list []string) {
	for _, v := range variants {
		for _, r := range v.runs {
			if recorded := r.summary.Recording; recorded != nil && len(recorded.LeftOut) > 0 {
				list = append(list, "Recording of "+v.name(r)+": "+strings.Join(recorded.LeftOut, "; "))
			}
		}
	}
	const most = 6
	if len(list) > most {
		list = append(list[:most], "The recordings of other runs are incomplete, too: summary.json of each has "+
			"the details.")
	}
	return list
}

func rateSection(variants []*variant) (section, error) {
	s := section{
		ID:    "rate",
		Title: "Rate of each flow",
	}
	seeds := max(1, ratesOfPage/len(variants))
	size := 0
	for i, v := range variants {
		p, err := ratePlot(v, seeds)
		if err != nil {
			return s, err
		}
		p.Time = v.runs[0].folder.time
		if size += p.size(); size > bytesOfRates && len(s.Plots) > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("The first %d of %d variants are drawn, so that the page stays small.", i,
				len(variants)))
			break
		}
		if len(v.runs) > seeds {
			s.Notes = append(s.Notes, fmt.Sprintf("%s: the first %d of %d seeds are drawn.", v.label, seeds, len(v.runs)))
		}
		if len(p.Views) > 0 {
			s.Plots = append(s.Plots, p)
		}
	}
	if len(s.Plots) == 0 {
		s.Empty = noFlows
		for _, v := range variants {
			list, err := v.runs[0].flows()
			if err != nil {
				return s, err
			}
			if len(list) > 0 {
				s.Empty = missing(variants)
			}
		}
		return s, nil
	}
	s.Lead = "Payload acknowledged in a bin, over the bin's width. Dashed is the fair share: the rate of the " +
		"receiver's link over the active flows. Marks on a line are events of its flow. Above a picture is a " +
		"choice: the rate that the algorithm decided, and the values that it reports. All variants have the same " +
		"axis; the few values that are far beyond all others are cut off until you zoom in on them. Of more than " +
		"four flows the slowest, the median and the fastest are in colour."
	return s, nil
}

func pauseSection(variants []*variant) (section, error) {
	s := section{ID: "pause", Title: "Pauses and losses"}
	err := s.add(variants, pauses, losses)
	if len(s.Tables) == 0 {
		s.Empty = "No port was paused, and no frame was lost."
	}
	return s, err
}

func metricSection(variants []*variant) (section, error) {
	return section{
		ID:     "metrics",
		Title:  "Metrics",
		Lead:   "As in summary.json; columns.md in the run folder explains each one.",
		Tables: []table{metricTable(variants).forPeople().rowsLabelled()},
	}, nil
}

// add adds the tables of extracts that have a row.
func (s *section) add(variants []*variant, extracts ...extract) error {
	for _, e := range extracts {
		t, err := e.table(variants)
		if err != nil {
			return err
		}
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t.withEdges(e.file).withoutZeros(1+len(e.keys), e.file).labelled())
		}
	}
	return nil
}

// hasNothing reports whether a section would be just its title.
func (s *section) hasNothing() bool {
	return s.Empty == "" && len(s.Sentences) == 0 && len(s.Plots) == 0 && len(s.Drawings) == 0 && len(s.Tables) == 0
}
