package diff

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Document is a report in the layout for machines.
type Document struct {
	A        string            `json:"a"`
	B        string            `json:"b"`
	Same     bool              `json:"same"`
	Alone    []string          `json:"without_partner"`
	Variants []variantDocument `json:"variants"`
}

// variantDocument has the differences between the runs of a variant.
type variantDocument struct {
	A       string           `json:"a"`
	B       string           `json:"b"`
	Inputs  *inputs          `json:"inputs"`
	Metrics []metricDocument `json:"metrics"`
	Runs    []runDocument    `json:"runs"`
}

// metricDocument is a metric that differs; null is not measured.
type metricDocument struct {
	Metric string     `json:"metric"`
	A      []*float64 `json:"a"`
	B      []*float64 `json:"b"`
	P      *float64   `json:"p"`
	// Tells is set if they differ by more than their seeds do.
	Tells bool `json:"more_than_chance"`
}

// runDocument has the differences between two runs. Times are in picoseconds.
type runDocument struct {
	A       string           `json:"a"`
	B       string           `json:"b"`
	Same    bool             `json:"same_trace"`
	From    *unit.Time       `json:"equal_up_to_ps,omitempty"`
	To      *unit.Time       `json:"differ_at_ps,omitempty"`
	Nodes   []string         `json:"nodes_that_differ_at_the_end,omitempty"`
	Files   []string         `json:"files_that_differ,omitempty"`
	Rows    int              `json:"rows_that_differ,omitempty"`
	Unknown string           `json:"unknown,omitempty"`
	Unlike  []unlikeDocument `json:"not_as_recorded,omitempty"`
	Reason  string           `json:"not_searched,omitempty"`
	First   *firstFrame      `json:"first_frame,omitempty"`
}

// unlikeDocument is a run that cannot be made again as it was; of the first frame in its capture that is another A is
// the run that was made again.
type unlikeDocument struct {
	Run      string      `json:"run"`
	Text     string      `json:"text"`
	Captured *firstFrame `json:"captured,omitempty"`
}

// firstFrame is the first frame that differs; null is a side that does nothing there and then.
type firstFrame struct {
	At      unit.Time       `json:"at_ps"`
	Node    string          `json:"node"`
	Port    int             `json:"port"`
	A       *frameDocument  `json:"a"`
	B       *frameDocument  `json:"b"`
	Changes []change        `json:"changes"`
	Before  []frameDocument `json:"before"`
	AfterA  []frameDocument `json:"after_a"`
	AfterB  []frameDocument `json:"after_b"`
}

// frameDocument is a frame with its text.
type frameDocument struct {
	Frame
	Text string `json:"text"`
}

// Document returns the report for machines.
func (r *Report) Document() *Document {
	d := &Document{
		A:        r.A.Name,
		B:        r.B.Name,
		Same:     r.Same(),
		Alone:    append([]string{}, r.Alone...),
		Variants: []variantDocument{},
	}
	for i := range r.Variants {
		d.Variants = append(d.Variants, r.Variants[i].document())
	}
	return d
}

func (v *variant) document() variantDocument {
	d := variantDocument{
		A:       v.Pairs[0].A.Variant,
		B:       v.Pairs[0].B.Variant,
		Inputs:  v.Inputs,
		Metrics: []metricDocument{},
	}
	for i := range v.Figures {
		f := &v.Figures[i]
		d.Metrics = append(d.Metrics, metricDocument{
			Metric: f.Metric.Name,
			A:      measured(f.valuesA...),
			B:      measured(f.valuesB...),
			P:      f.p(),
			Tells:  f.Tells(),
		})
	}
	for i := range v.Pairs {
		d.Runs = append(d.Runs, v.Pairs[i].document())
	}
	return d
}

// p is that of the test, nil if there was none.
func (f *figure) p() *float64 {
	if !f.Tested {
		return nil
	}
	return &f.Test.P
}

// measured returns values, nil for unmeasured ones.
func measured(values ...float64) (list []*float64) {
	for _, value := range values {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			list = append(list, nil)
			continue
		}
		list = append(list, &value)
	}
	return list
}

// number counts the rows, 0 of none.
func (r *rows) number() int {
	if r == nil {
		return 0
	}
	return r.Number
}

func (p *PairReport) document() runDocument {
	d := runDocument{
		A:       p.A.Folder,
		B:       p.B.Folder,
		Same:    p.Same,
		Files:   p.Files,
		Rows:    p.Rows.number(),
		Unknown: p.Unknown,
	}
	if t := p.Parting; t != nil {
		d.From, d.To, d.Nodes = &t.From, &t.To, t.Nodes
	}
	if p.Search == nil {
		return d
	}
	d.Reason, d.First = p.Search.Reason, p.Search.First.document()
	for i := range p.Search.Unlike {
		u := &p.Search.Unlike[i]
		d.Unlike = append(d.Unlike, unlikeDocument{u.Side.Title(u.Run), u.Text, u.Captured.document()})
	}
	return d
}

// document is the frame for machines, nil of none.
func (f *First) document() *firstFrame {
	if f == nil {
		return nil
	}
	return &firstFrame{
		At:      f.At,
		Node:    f.Node,
		Port:    f.Port,
		A:       documentOf(f.A),
		B:       documentOf(f.B),
		Changes: append([]change{}, f.Changes...),
		Before:  documents(f.Before),
		AfterA:  documents(f.AfterA),
		AfterB:  documents(f.AfterB),
	}
}

func documentOf(f *Frame) *frameDocument {
	if f == nil {
		return nil
	}
	return &frameDocument{*f, f.String()}
}

func documents(frames []Frame) []frameDocument {
	list := []frameDocument{}
	for i := range frames {
		list = append(list, *documentOf(&frames[i]))
	}
	return list
}
