// Package mutants holds what the check of algorithms must refuse.
package mutants

import (
	"math/rand" // want "imports math/rand"
	"sync"      // want "imports sync"
	"time"      // want "imports time"
)

var (
	flows  = map[string]int{}
	rates  []float64
	last   *int
	count  int
	shared struct{ n int }
	table  = [...]string{"a", "b"}
	lock   sync.Mutex
)

func state(m map[int]int, s []int) string {
	flows["a"] = 1         // want "flows"
	rates = nil            // want "rates"
	rates[0] += 1          // want "rates"
	*last = 2              // want "last"
	count++                // want "count"
	shared.n = 1           // want "shared"
	delete(flows, "a")     // want "flows"
	p := &count            // want "count"
	go func() { *p = 1 }() // want "goroutine"
	for range m {          // want "map"
	}
	for range s {
	}
	flows := map[string]int{}
	flows["a"] = int(time.Second) + rand.Int()
	return table[0]
}
