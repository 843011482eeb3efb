package attribution

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Six flows of drawn starts and loads share a port: the flows named are the ones that a plain sum over the bins of the
// contest gives.
func TestTakersArePlainSums(t *testing.T) {
	named := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 30))
		f := &Fabric{Bins: 8, Width: 100 * us}
		shared := portOf()
		for i := range 6 {
			sending, held := bins(), bins()
			for bin := rng.IntN(4); bin < 8-rng.IntN(3); bin++ {
				own := rng.Uint64N(uint64(34 * us))
				sending.Put(bin, own)
				held.Put(bin, uint64(100*us)-own)
			}
			f.Ports = append(f.Ports, portOf())
			f.Flows = append(f.Flows, sender([]int{i, 6}, sending, held))
		}
		for bin := range f.Bins {
			shared.Load.Put(bin, uint64(100*us))
		}
		f.Ports = append(f.Ports, shared)
		f.Prepare()
		for i, got := range f.Divide() {
			_, at := f.divide(i)
			if want := f.plainTakers(i, at); !slices.Equal(got.Takers, want) {
				t.Errorf("seed %d, flow %d: %v, want %v", seed, i, got.Takers, want)
			}
			named += len(got.Takers)
		}
	}
	if named < 1000 {
		t.Errorf("only %d takers", named)
	}
}

// plainTakers adds up flow by flow and bin by bin.
func (f *Fabric) plainTakers(number int, at contest) (takers []int) {
	surplus := make([]float64, len(f.Flows))
	for i := range f.Flows {
		flow := &f.Flows[i]
		for bin := at.first; bin < at.end && i != number; bin++ {
			surplus[i] += float64(flow.Sends.Sending.At(bin)) - f.fairShare(i, bin)*flow.active(bin)/100e9
		}
		if surplus[i] > 0 {
			takers = append(takers, i)
		}
	}
	slices.SortStableFunc(takers, func(a, b int) int { return cmp.Compare(surplus[b], surplus[a]) })
	return takers[:min(3, len(takers))]
}
