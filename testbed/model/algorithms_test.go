package model_test

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
)

// An algorithm is configured once for all entries of traffic that name it with the same parameters: 8000 of them took
// 4 s. Red if answers are not kept, or kept by the name only.
func TestCheckerAsksOnce(t *testing.T) {
	asked := 0
	check := model.Checker(func(name string) (cc.Algorithm, bool) {
		asked++
		return shipped.Find(name)
	})
	for range 3 {
		if err := check("fixed", map[string]string{"rate": "50Gbps"}); err != nil {
			t.Error(err)
		}
		if err := check("fixed", map[string]string{"rate": "much"}); err == nil {
			t.Error("a rate of much is taken")
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times for 2 algorithms", asked)
	}
}
