package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

const (
	// portsShown is the maximum number of ports of a layer, heatBins the maximum number of its bins.
	portsShown = 16
	heatBins   = 120
)

// heatLayer is a quantity of ports over time.
type heatLayer struct {
	name, file, column string
	how                merging
	// value is a bin's value of the merged number, for a port of a rate in Gb/s and a bin of
	// microseconds.
	value func(number, rate, width float64) float64
	// text writes a value. A full value of 0 stands for the largest of all runs.
	text func(float64) string
	full float64
}

func percentText(v float64) string   { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }
func asItIs(n, _, _ float64) float64 { return n }

var heatLayers = []heatLayer{
	{
		name:   "utilisation",
		file:   "series_ports.csv",
		column: "tx_bytes",
		how:    sum,
		text:   percentText,
		value:  func(n, rate, width float64) float64 { return n * 8 / (rate * 1e3 * width) },
		full:   1,
	},
	{
		name:   "rate",
		file:   "series_tiers.csv",
		column: "tx_bytes",
		how:    sum,
		text:   rateText,
		value:  func(n, _, width float64) float64 { return n * 8 / (1e3 * width) },
	},
	{
		name:   "queue",
		file:   "series_queues.csv",
		column: "depth_max_bytes",
		how:    largest,
		text:   bytesText,
		value:  asItIs,
	},
	{
		name:   "marks",
		file:   "series_ports.csv",
		column: "ecn_marked_frames",
		how:    sum,
		text:   countText,
		value:  asItIs,
	},
	{
		name:   "marks",
		file:   "series_tiers.csv",
		column: "ecn_marked_frames",
		how:    sum,
		text:   countText,
		value:  asItIs,
	},
	{
		name:   "pauses",
		file:   "series_ports.csv",
		column: "paused_us",
		how:    sum,
		text:   percentText,
		value:  func(n, _, width float64) float64 { return n / width },
		full:   1,
	},
	{
		name:   "pauses of all ports",
		file:   "series_tiers.csv",
		column: "paused_us",
		how:    sum,
		text:   timeText,
		value:  asItIs,
	},
}

func rateText(v float64) string  { return strconv.FormatFloat(v, 'f', 1, 64) + " Gb/s" }
func timeText(v float64) string  { return strconv.FormatFloat(v, 'f', 1, 64) + " us" }
func bytesText(v float64) string { return picture.Prefixed(v, "B") }
func countText(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// portSection shows the ports over time, a picture a run.
func portSection(variants []*variant) (section, error) {
	s := section{
		ID:    "ports",
		Title: "Ports over time",
		Lead: "A row for each port, the busiest first; a stronger colour means more. Utilisation is the bytes of " +
			"frames sent over the link's capacity; a pause is the share of the bin. A row opens the queue of its " +
			"port.",
	}
	var pictures []picture.Heat
	var of []func(*picture.Picture)
	err := eachDrawn(variants, func(v *variant, r *run) error {
		heat, err := r.heat(v)
		if err == nil && len(heat.Layers) > 0 {
			pictures = append(pictures, heat)
			of = append(of, func(p *picture.Picture) { s.drawRun("ports-picture", v, r, p) })
		}
		return err
	})
	if err != nil || len(pictures) == 0 {
		return section{}, err
	}
	levelOut(pictures)
	for i, heat := range pictures {
		of[i](heat.Draw())
	}
	s.noteUndrawn(variants)
	return s, s.add(variants, busyPorts)
}

// levelOut gives equal layers of several pictures the same full value, and all one axis of time.
func levelOut(pictures []picture.Heat) {
	most, end := map[string]float64{}, 0.0
	for _, p := range pictures {
		end = math.Max(end, float64(p.Width*float64(p.Bins)))
		for _, l := range p.Layers {
			most[l.Name] = math.Max(most[l.Name], l.Full)
		}
	}
	for at, p := range pictures {
		pictures[at].End = end
		for i := range p.Layers {
			l := &p.Layers[i]
			l.Full = most[l.Name]
			for _, kind := range heatLayers {
				if kind.name == l.Name {
					l.Text = kind.text(l.Full)
				}
			}
		}
	}
}

// heat returns a run's picture; it has no layers if nothing was recorded.
func (r *run) heat(v *variant) (picture.Heat, error) {
	heat := picture.Heat{Key: picture.Key{Name: v.name(r), Hue: v.hue}}
	rates, peers := map[string]float64{}, map[string]string{}
	err := r.rows("ports.csv", func(row row) error {
		name := row.Text("node") + "\x00" + row.Text("port") + "\x00"
		rates[name], peers[name] = row.OrZero("rate_gbps"), strings.Clone(row.Text("peer"))
		return nil
	})
	if err != nil {
		return heat, err
	}
	files, width, err := r.heatFiles()
	if err != nil || width == 0 {
		return heat, err
	}
	heat.Width = float64(width) / 1e6
	for _, f := range files {
		heat.Bins = max(heat.Bins, int((f.span()*f.width+width-1)/width))
	}
	for _, kind := range heatLayers {
		f := files[kind.file]
		if f.span() == 0 {
			continue
		}
		layer := picture.Layer{Name: kind.name, Full: kind.full}
		layer.Rows = f.heatRows(kind, width/f.width, heat.Bins, func(name string, n float64) float64 {
			return kind.value(n, rates[name], heat.Width)
		})
		for i := range layer.Rows {
			row := &layer.Rows[i]
			row.Peer = peers[row.Node+"\x00"+row.Port+"\x00"]
			layer.Full = math.Max(layer.Full, slices.Max(row.Values))
		}
		if len(layer.Rows) > 0 {
			heat.Layers = append(heat.Layers, layer)
		}
	}
	return heat, nil
}

// heatFiles reads the files of the layers. width is that of a bin of the picture: each file's bins
// have a width of their own, and a bin of the picture has whole ones of each.
func (r *run) heatFiles() (files map[string]*seriesFile, width int64, err error) {
	files = map[string]*seriesFile{}
	end := int64(0)
	for _, kind := range heatLayers {
		if files[kind.file] != nil {
			continue
		}
		keys := []string{"node", "port"}
		switch kind.file {
		case "series_tiers.csv":
			keys[1] = "tier"
		case "series_queues.csv":
			keys = queueKeys
		}
		f, err := r.readSeries(kind.file, keys, sharedColumns[kind.file])
		if err != nil {
			return nil, 0, err
		}
		files[kind.file] = f
		if span := f.span(); span > 0 {
			end, width = max(end, span*f.width), max(width, f.width)
		}
	}
	if width > 0 {
		width *= (end + heatBins*width - 1) / (heatBins * width)
	}
	return files, width, nil
}

// heatRows are the ports with the largest values; none that has no value but 0. Of a port
// with several queues each bin has the longest.
func (f *seriesFile) heatRows(
	kind heatLayer, count int64, bins int, value func(string, float64) float64,
) []picture.HeatRow {
	var order []string
	rows := map[string][]float64{}
	for _, name := range f.order {
		k := f.series[name]
		c := k.columns[kind.column]
		if c == nil {
			continue
		}
		first, values := k.bins(c, f.width, 0)
		first, values = merge(first, values, count, kind.how)
		parts := strings.SplitN(name, "\x00", 3)
		port := parts[0] + "\x00" + parts[1] + "\x00"
		if rows[port] == nil {
			rows[port] = make([]float64, bins)
			order = append(order, port)
		}
		scale := math.Pow10(c.decimals)
		for i, v := range values {
			if at := first + int64(i); v > 0 && at < int64(bins) {
				drawn := value(port, float64(v)/scale)
				if !math.IsInf(drawn, 0) && !math.IsNaN(drawn) {
					rows[port][at] = math.Max(rows[port][at], drawn)
				}
			}
		}
	}
	total := map[string]float64{}
	for name, values := range rows {
		for _, v := range values {
			total[name] += v
		}
	}
	order = slices.DeleteFunc(order, func(name string) bool { return total[name] == 0 })
	slices.SortStableFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Max(rows[b]), slices.Max(rows[a])), cmp.Compare(total[b], total[a]))
	})
	var list []picture.HeatRow
	for _, name := range order[:min(len(order), portsShown)] {
		node, rest, _ := strings.Cut(name, "\x00")
		list = append(list, picture.HeatRow{
			Node:   node,
			Port:   strings.TrimSuffix(rest, "\x00"),
			Peak:   kind.text(slices.Max(rows[name])),
			Values: rows[name],
		})
	}
	return list
}

// busyPorts are the ports that sent most of what they can.
var busyPorts = extract{
	id:      "busy-ports",
	caption: "Busiest ports",
	file:    "ports.csv",
	keys:    []string{"node", "port"},
	columns: []string{"peer", "rate_gbps", "utilisation", "busy_us", "tx_bytes", "tx_pfc_frames", "rx_pfc_frames",
		"dropped_frames"},
	by:   "utilisation",
	keep: func(row row) bool { return row.OrZero("utilisation") > 0 },
}
