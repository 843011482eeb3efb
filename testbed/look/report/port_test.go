package report

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// rowsOf are the ports of a layer of a picture, from the top, each with its peak.
func rowsOf(picture *html.Node, layer string) (rows []string) {
	each(picture, func(n *html.Node) {
		if attribute(n, "data-layer") != layer {
			return
		}
		each(n, func(row *html.Node) {
			if node := attribute(row, "data-node"); node != "" {
				var texts []string
				each(row, func(t *html.Node) {
					if t.Data == "text" {
						texts = append(texts, textOf(t))
					}
				})
				rows = append(rows, strings.Join(texts, " = "))
			}
		})
	})
	return rows
}

// A layer has the ports with the largest values on top, in its own unit; among a port's queues the longest counts;
// unrecorded values do not make a layer. Merged bins sum up sent bytes, and keep the longest queue.
func TestPortsOverTime(t *testing.T) {
	r := plain("a")
	r.files["ports.csv"] = "node,port,peer,rate_gbps,utilisation\ns0,1,h1,100.000,0.5000\ns0,2,h2,10.000,0.1000\n"
	var ports, queues strings.Builder
	ports.WriteString("time_us,node,port,tx_bytes,ecn_marked_frames,paused_us\n")
	queues.WriteString("time_us,node,port,queue,depth_max_bytes\n")
	for bin := range 240 { // two become one
		fmt.Fprintf(&ports, "%d,s0,1,%d,0,%d.5\n", bin, 12500*(bin%2), bin%2)
		fmt.Fprintf(&queues, "%d,s0,1,3,%d\n%[1]d,s0,1,6,7000\n", bin, bin%2*9000)
	}
	for bin := range 240 {
		fmt.Fprintf(&ports, "%d,s0,2,1250,0,0\n", bin)
	}
	r.files["series_ports.csv"], r.files["series_queues.csv"] = ports.String(), queues.String()
	r.recording = map[string]any{"width_us": 1, "bins": 240}
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	picture := drawingsOf(t, root)["ports-picture-0"]
	if picture == nil {
		t.Fatal("there is no picture")
	}
	for layer, want := range map[string]string{
		"utilisation": "[s0:2 to h2 = 100.0 % s0:1 to h1 = 50.0 %]",
		"queue":       "[s0:1 to h1 = 9 KB]",
		"marks":       "[]",
		"pauses":      "[s0:1 to h1 = 100.0 %]",
	} {
		t.Run(layer, func(t *testing.T) {
			if got := fmt.Sprint(rowsOf(picture, layer)); got != want {
				t.Errorf("%s: %s, want %s", layer, got, want)
			}
		})
	}
}

// Of a large fabric the ports of a tier are a row.
func TestTiersOverTime(t *testing.T) {
	r := plain("a")
	delete(r.files, "series_queues.csv")
	r.files["series_tiers.csv"] = "time_us,node,tier,tx_bytes,ecn_marked_frames,paused_us\n" +
		"0,edge0,host,125000,3,0\n10,edge0,host,250000,0,25\n"
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", r))))
	picture := drawingsOf(t, root)["ports-picture-0"]
	if picture == nil {
		t.Fatal("there is no picture")
	}
	for layer, want := range map[string]string{
		"rate": "[edge0:host = 200.0 Gb/s]", "marks": "[edge0:host = 3]", "pauses of all ports": "[edge0:host = 25.0 us]",
	} {
		t.Run(layer, func(t *testing.T) {
			if got := fmt.Sprint(rowsOf(picture, layer)); got != want {
				t.Errorf("%s: %s, want %s", layer, got, want)
			}
		})
	}
}

// Files of series have bins of their own widths; in the picture simultaneous values are in one column.
func TestLayersShareTheirTime(t *testing.T) {
	r := plain("a")
	r.files["ports.csv"] = "node,port,peer,rate_gbps\ns0,1,h1,100.000\n"
	ports := "time_us,node,port,tx_bytes,ecn_marked_frames,paused_us\n"
	queues := "time_us,node,port,queue,depth_max_bytes\n"
	for _, at := range []int{0, 400, 1000} {
		ports += fmt.Sprintf("%d.000000,s0,1,100,0,0.000000\n", at)
		queues += fmt.Sprintf("%d.000000,s0,1,3,100\n", at)
	}
	r.files["series_ports.csv"], r.files["series_queues.csv"] = ports, queues
	r.recording = map[string]any{
		"width_us": 1, "bins": 1001, "widths_us": map[string]any{"series_ports.csv": 1, "series_queues.csv": 8},
	}
	v := variantsOf([]*Folder{opened(t, "run", folderOf(t, "one", r))})[0]
	heat, err := v.runs[0].heat(v)
	if err != nil || len(heat.Layers) != 2 || heat.Width != 16 || heat.Bins != 63 {
		t.Fatalf("%v: %d layers, %d bins of %v us", err, len(heat.Layers), heat.Bins, heat.Width)
	}
	for _, l := range heat.Layers {
		for bin, value := range l.Rows[0].Values {
			if (value > 0) != (bin == 0 || bin == 25 || bin == 62) {
				t.Errorf("%s: %v in bin %d", l.Name, value, bin)
			}
		}
	}
}
