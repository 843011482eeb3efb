package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// PlotKind is a picture that a paper may have.
type PlotKind struct {
	Name, About string
	draw        func(variants []*variant, port string) (*picture.Picture, error)
}

// Plots are the pictures for papers, by the names that users give.
var Plots = []PlotKind{
	{"fct", "distribution of flow completion times, a line a variant, the flows of all seeds together", completionPlot},
	{"attribution", "time of the slowest, the median and the fastest flow of each variant by cause", attributionPlot},
	{"queue", "length of an egress queue over time, a line a run", queueFigure},
	{"rate", "rate of each flow over time, a frame a variant, of its first seed", rateFigure},
	{"fairness", "Jain's index of the rates of active flows over time, a line a variant, of its first seed", fairnessPlot},
}

// Plot draws a picture of run folders. Port is the switch port of the queue, node:port, "" for the longest queue. It
// fails for an unknown kind or port, or if the runs recorded nothing of it.
func Plot(kind, port string, folders []*Folder) (*picture.Picture, error) {
	var names []string
	for _, p := range Plots {
		names = append(names, p.Name)
		if p.Name == kind {
			return p.draw(variantsOf(folders), port)
		}
	}
	all := "allowed are " + strings.Join(names, ", ")
	return nil, fmt.Errorf("there is no picture %q: %s", kind, spelling.Hint(kind, names, all))
}

func completionPlot(variants []*variant, _ string) (*picture.Picture, error) {
	all := picture.Completion{Of: "completion time, us"}
	for _, v := range variants {
		line := picture.Slowdowns{Key: v.keyOf()}
		for _, r := range v.runs {
			err := r.rows("flows.csv", func(row row) error {
				if row.Text("size_bytes") == "0" || row.OrZero("messages") > 0 {
					return nil // it runs until stopped, or waits for others
				}
				line.Flows++
				if value := row.Number("fct_us"); !math.IsNaN(value) {
					line.Values = append(line.Values, value)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		all.Lines = append(all.Lines, line)
	}
	return all.Draw(), nil
}

func attributionPlot(variants []*variant, _ string) (*picture.Picture, error) {
	d := picture.Stacks{Title: "Time of flows by cause"}
	for _, v := range variants {
		list, err := v.causes()
		if err != nil {
			return nil, err
		}
		for _, f := range rankedOf(list) {
			at := slices.IndexFunc(d.Groups, func(g picture.StackGroup) bool { return g.Name == f.place })
			if at < 0 {
				at = len(d.Groups)
				d.Groups = append(d.Groups, picture.StackGroup{Name: f.place})
			}
			bar := picture.Stack{Name: v.name(f.run) + " " + f.flow, Time: durationText(f.Total())}
			for part, length := range f.Parts {
				bar.Parts = append(bar.Parts, picture.Part{
					Name: attribution.Part(part).String(),
					US:   float64(length) / 1e6,
					Text: durationText(length),
				})
			}
			d.Groups[at].Bars = append(d.Groups[at].Bars, bar)
		}
	}
	return d.Draw(), nil
}

func queueFigure(variants []*variant, port string) (*picture.Picture, error) {
	p, err := queuePlot(variants)
	if err != nil {
		return nil, err
	}
	var ports []string
	for i, v := range p.Views {
		if at := v.Node + ":" + v.Port; port == "" || port == at {
			return p.Views[i].depth().Draw(), nil
		} else if !slices.Contains(ports, at) {
			ports = append(ports, at)
		}
	}
	if len(p.Views) == 0 {
		return nil, fmt.Errorf("%s: %s", variants[0].runs[0].folder.title(), noSeries)
	}
	return nil, fmt.Errorf("no queue of port %q is drawn: %s", port,
		spelling.Hint(port, ports, "allowed are "+strings.Join(ports, ", ")))
}

// styleOf is the style of a flow's line by its place.
var styleOf = map[string]picture.LineStyle{
	"":          picture.Thin,
	restOfFlows: picture.Grey,
	"slowest":   picture.Solid,
	"median":    picture.Dashed,
	"fastest":   picture.Dotted,
}

func rateFigure(variants []*variant, _ string) (*picture.Picture, error) {
	d := picture.Panels{
		Title: "Rate of each flow",
		Above: "goodput, Gb/s",
		Note: "Of more than four flows the slowest is solid, the median dashed, the fastest dotted, the others grey; " +
			"black is the fair share of the link. The few rates far above all others are drawn at the edge.",
	}
	for _, v := range variants[:min(len(variants), variantsShown)] {
		p, err := ratePlot(v, 1)
		if err != nil {
			return nil, err
		}
		if len(p.Views) == 0 {
			return nil, fmt.Errorf("%s: %s", v.runs[0].folder.title(), noSeries)
		}
		panel := picture.Panel{Name: v.label}
		for _, l := range p.Views[0].Lines {
			style := styleOf[l.Mark]
			switch l.Kind {
			case fairLine:
				style = picture.Bound
			case lowLine, highLine:
				style = picture.Thin
			case stepLine:
			default:
				continue
			}
			panel.Lines = append(panel.Lines, picture.PanelLine{Depths: l.depths(), Style: style})
		}
		d.Panels = append(d.Panels, panel)
	}
	d.Most = mostOf(d.Panels)
	return d.Draw(), nil
}

// mostOf returns the end of an axis of rates: the largest measured one, or, if that is far beyond all others, as when
// the last flow has the link for itself, somewhat more than the 99th percentile. Values above it are drawn at the edge.
func mostOf(panels []picture.Panel) float64 {
	var values []float64
	for _, p := range panels {
		for _, l := range p.Lines {
			if l.Style == picture.Bound {
				continue
			}
			for _, v := range l.Bytes {
				if v > 0 {
					values = append(values, v)
				}
			}
		}
	}
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return min(values[len(values)-1], 1.5*values[result.Rank(len(values), 99)-1])
}

func fairnessPlot(variants []*variant, _ string) (*picture.Picture, error) {
	d := picture.Panels{
		Title:  "Fairness over time",
		Above:  "Jain's index of the rates of active flows",
		Most:   1,
		Panels: []picture.Panel{{}},
	}
	for _, v := range variants {
		line, err := v.runs[0].fairness()
		if err != nil {
			return nil, err
		}
		line.Key = v.keyOf()
		d.Keys = append(d.Keys, line.Key)
		d.Panels[0].Lines = append(d.Panels[0].Lines, picture.PanelLine{Depths: *line})
	}
	return d.Draw(), nil
}

// fairness is Jain's index of the goodput of the flows that are active in a whole bin; a bin with fewer than two of
// them has none. Source: Jain, Chiu and Hawe, DEC-TR-301, 1984, equation 1.
func (r *run) fairness() (*picture.Depths, error) {
	f, err := r.readSeries("series_flows.csv", []string{"flow"}, []string{"goodput_gbps"})
	if err == nil && len(f.order) == 0 {
		err = fmt.Errorf("%s: %s", r.folder.title(), noSeries)
	}
	if err != nil {
		return nil, err
	}
	flows, err := r.flows()
	if err != nil {
		return nil, err
	}
	rates := make([][]float64, f.span())
	for _, flow := range flows {
		k := f.of(flow.name)
		if k == nil {
			continue
		}
		first, values := k.bins(k.columns["goodput_gbps"], f.width, 0)
		for bin := range rates {
			at := int64(bin)
			if flow.start > at*f.width || flow.end < (at+1)*f.width {
				continue
			}
			rate := 0.0
			if i := at - first; i >= 0 && i < int64(len(values)) && values[i] != gap {
				rate = float64(values[i])
			}
			rates[bin] = append(rates[bin], rate)
		}
	}
	line := &picture.Depths{Width: float64(f.width) / 1e6}
	for _, list := range rates {
		value := -1.0
		if len(list) > 1 && slices.Max(list) > 0 {
			value = result.Jain(list)
		}
		line.Bytes = append(line.Bytes, value)
	}
	return line, nil
}

// depths are the values of a line for a drawing.
func (l *line) depths() picture.Depths {
	scale := math.Pow10(l.Decimals)
	drawn := picture.Depths{
		Key:   picture.Key{Name: l.Name, Hue: l.Hue},
		First: l.First,
		Width: float64(l.Width) / 1e6,
	}
	for _, value := range l.values {
		if value == gap {
			drawn.Bytes = append(drawn.Bytes, -1)
			continue
		}
		drawn.Bytes = append(drawn.Bytes, float64(value)/scale)
	}
	return drawn
}
