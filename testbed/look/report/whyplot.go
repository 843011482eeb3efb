package report

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// bottlenecksShown is the maximum number of ports over time at the opening of a page.
const bottlenecksShown = 4

// bottlenecks returns the ports that held the ranked flows up, the slowest flows' first.
func bottlenecks(flows [][]ranked) (ports []string) {
	for place := range 3 {
		for _, list := range flows {
			if place < len(list) && list[place].bottleneck != "" && !slices.Contains(ports, list[place].bottleneck) {
				ports = append(ports, list[place].bottleneck)
			}
		}
		if len(ports) > 0 {
			break // those of the slowest are enough
		}
	}
	return ports[:min(len(ports), bottlenecksShown)]
}

// bottleneckPlots are queue and utilisation of ports over time, a line a run on one pair of axes; nothing of a port
// that was not recorded.
func bottleneckPlots(variants []*variant, sections []section, ports []string) ([]*plot, error) {
	queue := &plot{ID: "bottleneck-queue", Title: "Queue of the bottleneck", Unit: "B", Choice: "port"}
	busy := &plot{ID: "bottleneck-utilisation", Title: "Utilisation of the bottleneck", Unit: "%", Choice: "port"}
	for _, port := range ports {
		if known := viewOf(sections, queuesPlot, port); known != nil {
			v := *known
			v.Node, v.Port = "", "" // a port's own view is that of all queues
			queue.Views = append(queue.Views, v)
		}
		at := view{Label: port}
		for _, v := range variants {
			for _, r := range v.runs[:min(len(v.runs), seedsShown)] {
				if err := at.addUtilisation(v, r, port); err != nil {
					return nil, err
				}
			}
		}
		if len(at.Lines) > 0 {
			busy.Views = append(busy.Views, at)
		}
	}
	var list []*plot
	for _, p := range []*plot{queue, busy} {
		if len(p.Views) > 0 {
			p.Time = variants[0].runs[0].folder.time
			list = append(list, p)
		}
	}
	return list, nil
}

// addUtilisation adds a line of the share of a port's rate that a run sent in each bin.
func (v *view) addUtilisation(of *variant, r *run, port string) error {
	node, number := cutPort(port)
	rate := 0.0
	err := r.rows("ports.csv", func(row row) error {
		if row.Text("node") == node && row.Text("port") == number {
			rate = row.OrZero("rate_gbps")
		}
		return nil
	})
	if err != nil || rate <= 0 {
		return err
	}
	f, err := r.readSeries("series_ports.csv", []string{"node", "port"}, sharedColumns["series_ports.csv"])
	if err != nil {
		return err
	}
	k := f.of(node, number)
	if k == nil || f.width == 0 || k.columns["tx_bytes"] == nil {
		return nil
	}
	count := mergedBins(len(v.Lines)+2, f.span())
	drawn, ok := f.lineOf(r, k, "tx_bytes", 0, count, sum)
	if !ok {
		return nil
	}
	perMille := 8e6 / (rate * float64(drawn.Width)) / math.Pow10(drawn.Decimals)
	values := make([]int64, len(drawn.values))
	for i, bytes := range drawn.values {
		values[i] = unit.Whole[int64](math.Round(float64(bytes) * perMille))
	}
	// The drawn values are no longer cells of the file.
	drawn.Name, drawn.Hue, drawn.Decimals, drawn.Where, drawn.Asks = of.name(r), of.hue, 1, "", ""
	drawn.values, drawn.Data = values, encodeValues(values)
	v.Lines = append(v.Lines, drawn)
	return nil
}
