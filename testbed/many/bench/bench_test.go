package bench

import (
	"context"
	"testing"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
)

func BenchmarkCases(b *testing.B) {
	cases, err := Cases(model.Checker(shipped.Find), 1, 2)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range cases {
		b.Run(c.Name, func(b *testing.B) {
			for b.Loop() {
				all, err := Run(context.Background(), []Case{c}, 1, shipped.Find)
				if err != nil {
					b.Fatal(err)
				}
				r := all[0]
				b.ReportMetric(r.HopsPerSecond/1e6, "Mhops/s")
				b.ReportMetric(float64(r.PeakBytes)/1e6, "peak-MB")
				b.ReportMetric(r.AllocsPerHop, "allocs/hop")
				b.ReportMetric(float64(c.Workers), "workers")
			}
		})
	}
}
