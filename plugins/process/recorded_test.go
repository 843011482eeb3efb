//go:build linux && !mem

package process_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// The recorded values of an algorithm are the same if it is built in and if it is a process, event by event and in
// batches.
func TestRecordedValuesAreTheSame(t *testing.T) {
	algorithm := start(t, "../../plugins/shipped/cc-dcqcn", process.Options{}).Algorithm()
	asProcess := func(string) (cc.Algorithm, bool) { return algorithm, true }
	for _, delay := range []string{"0us", "3us"} {
		t.Run(delay, func(t *testing.T) {
			values := func(find model.Find) (list []*record.Values) {
				s, err := scenario.Parse("test.yaml", fmt.Appendf(nil, `
topology: {kind: star, hosts: 4}
nic: {decision_delay: %s}
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
traffic: [{kind: incast, senders: 3, receiver: h3, size: 200KB, algorithm: dcqcn}]
`, delay), model.Checker(shipped.Find))
				if err != nil {
					t.Fatal(err)
				}
				plans, err := s.Plans()
				if err != nil {
					t.Fatal(err)
				}
				out, err := mem.Run(context.Background(), plans[0], mem.Options{Algorithms: find})
				if err != nil {
					t.Fatal(err)
				}
				for i := range out.Flows {
					list = append(list, out.Flows[i].Sender.Values)
				}
				return list
			}
			want, got := values(shipped.Find), values(asProcess)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("delay %s: as a process %+v, built in %+v", delay, got, want)
			}
			changes := 0
			for bin := range want[0].List[0].Over.Len() {
				if a, _ := want[0].List[0].At(bin); a != 0 {
					changes++
				}
			}
			if len(want[0].List) != 4 || changes < 5 {
				t.Errorf("delay %s: alpha in %d bins: %+v", delay, changes, want[0])
			}
		})
	}
}
