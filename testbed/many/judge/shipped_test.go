package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/missed"
	"github.com/rocelab/rocelab/specs/tier"
)

// Every shipped algorithm keeps the contract and controls congestion, or its miss
// is documented. Two of them are looked at whole at every run, all of them at
// night, as programs too and built for other processors.
func TestShippedAlgorithms(t *testing.T) {
	tier.Everyday(t)
	whole := tier.RunsNight()
	for _, a := range shipped.All() {
		d := a.Describe()
		t.Run(d.Name, func(t *testing.T) {
			s := Subject{Builtin: a, Shipped: true, NoVeth: "not in this test", NoSource: "not in this test"}
			names, seeds := []string{"parameters", "isolation", "fuzz", "reorder", "reaction", "fairness", "latecomers"}, one
			if d.Name == "pc4" || d.Name == "dcqcn" {
				names = nil
			}
			if whole {
				here, err := os.Getwd()
				if err != nil {
					t.Fatal(err)
				}
				if s.Source, err = SourceOfShipped(context.Background(), d.Name, filepath.Join(here, "../..")); err != nil {
					t.Fatal(err)
				}
				names, seeds = nil, nil
			}
			for _, row := range judged(t, s, seeds, names...).Checks {
				t.Logf("%-16s %-13s %s, allowed %s %s", row.Result, row.Check, row.Figure, row.Allowed, row.Remark)
				sourceless := slices.Contains([]string{"handshake", "source", "process", "surroundings", "build"}, row.Check)
				switch row.Result {
				case Pass, Reported:
					if row.Figure == "" || strings.Contains(row.Remark, "no longer missed") {
						t.Errorf("%+v", row)
					}
				case Documented:
					missed.Report(fmt.Sprintf("%s of %s: %s, allowed is %s", row.Check, d.Name, row.Figure, row.Allowed), row.Remark)
				case Exempt:
					if !d.Uncontrolled {
						t.Errorf("%+v", row)
					}
				case Skipped:
					if row.Check != "veth" && (whole && row.Check != "build" || !sourceless) {
						t.Errorf("%+v", row)
					}
				default:
					t.Errorf("%+v", row)
				}
			}
		})
	}
}
