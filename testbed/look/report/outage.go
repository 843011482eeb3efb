package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// outageFile is the sheet of outages, and outagesDrawn how many of a run have a picture.
const (
	outageFile   = "outages.csv"
	outagesDrawn = 6
)

// outageBands are the parts of a recovery in their order: the column, the class of its colour, and the word.
var outageBands = []struct{ column, class, text string }{
	{"link_us", "down", "the link is down"},
	{"switch_us", "void", "into the void"},
	{"neighbours_us", "no-route", "no route"},
	{"nak_timer_us", "timer", "NAK timer"},
	{"rto_us", "timeout", "retransmission timer"},
	{"rest_us", "rest", "the rest"},
}

// outageTable shows the cost of outages.
var outageTable = extract{
	id:      "outages",
	caption: "What outages cost, from outages.csv",
	file:    outageFile,
	keys:    []string{"link", "from_us"},
	columns: []string{"to_us", "void_frames", "flushed_frames", "no_route_frames", "flows", "unrecovered_flows",
		"recovery_max_us", "longest_flow"},
}

// outageSection has a strip for each outage.
func outageSection(variants []*variant) (section, error) {
	s := section{ID: "outage", Title: "Outages of links"}
	more := false
	err := eachDrawn(variants, func(v *variant, r *run) error {
		strips, err := outagesOf(v, r)
		for i, d := range strips {
			if i == outagesDrawn {
				more = true
				break
			}
			s.drawRun(fmt.Sprintf("outage-picture-%d", i), v, r, d.Draw())
		}
		return err
	})
	if err != nil || len(s.Drawings) == 0 {
		return s, err
	}
	s.Lead = "The goodput of the flows that an outage stopped, at most the eight that resumed last. The band " +
		"below shows the causes of the last one's wait, up to its first accepted packet; outages.csv has the " +
		"figures."
	if more {
		s.Notes = append(s.Notes, fmt.Sprintf("The first %d outages of a run are drawn.", outagesDrawn))
	}
	s.noteUndrawn(variants)
	return s, s.add(variants, outageTable)
}

// outagesOf are the strips of a run.
func outagesOf(v *variant, r *run) (list []picture.Outage, err error) {
	var victims [][]string
	err = r.rows(outageFile, func(row row) error {
		d := picture.Outage{
			Key:  picture.Key{Name: v.name(r), Hue: v.hue},
			Link: strings.Clone(row.Text("link")),
			Flow: strings.Clone(row.Text("longest_flow")),
		}
		from := row.Number("from_us")
		d.Marks = []picture.OutageMark{{At: from, Text: "down"}}
		at := from
		if row.Text("rest_us") == "" {
			at = math.NaN()
		}
		for _, b := range outageBands {
			time := row.OrZero(b.column)
			if !math.IsNaN(at) {
				d.Bands = append(d.Bands, picture.OutageBand{
					From:  at,
					To:    at + time,
					Class: b.class,
					Text:  b.text,
					Hint:  fmt.Sprintf("%s: %v us", b.text, time),
				})
				at += time
			}
		}
		if detected := row.Number("detected_us"); detected > from {
			d.Marks = append(d.Marks, picture.OutageMark{At: detected, Text: flushedText(row)})
		}
		d.Marks = append(d.Marks,
			picture.OutageMark{At: row.Number("settled_us"), Text: "all switches know"},
			picture.OutageMark{At: at, Text: d.Flow + " goes on"},
			picture.OutageMark{At: row.Number("to_us"), Text: "up"})
		if restored := row.Number("restored_us"); restored > row.Number("to_us") {
			d.Marks = append(d.Marks, picture.OutageMark{At: restored, Text: "used again"})
		}
		list = append(list, d)
		victims = append(victims, strings.Split(strings.Clone(row.Text("victims")), "; "))
		return nil
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	f, err := r.readSeries("series_flows.csv", []string{"flow"}, []string{"goodput_gbps"})
	if err != nil {
		return nil, err
	}
	for i := range list {
		f.addGoodput(&list[i], victims[i])
	}
	return list, nil
}

// flushedText reports the detection by the ends, and their flushed frames.
func flushedText(row row) string {
	if n := row.count("flushed_frames"); n > 0 {
		return fmt.Sprintf("detected, %d frames flushed", n)
	}
	return "detected"
}

// addGoodput gives a strip the goodput of flows together.
func (f *seriesFile) addGoodput(d *picture.Outage, flows []string) {
	if f == nil || f.width == 0 {
		return
	}
	sum := make([]float64, f.span())
	found := false
	for _, flow := range flows {
		k := f.of(flow)
		if k == nil || k.columns["goodput_gbps"] == nil {
			continue
		}
		found = true
		c := k.columns["goodput_gbps"]
		first, values := k.bins(c, f.width, 0)
		for i, value := range values {
			if at := first + int64(i); value != gap && at < int64(len(sum)) {
				sum[at] += float64(value) / math.Pow10(c.decimals)
			}
		}
	}
	if found {
		d.Width, d.Rates = float64(f.width)/1e6, sum
	}
}
