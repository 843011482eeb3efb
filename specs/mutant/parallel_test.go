package mutant

import (
	"runtime"
	"sync"
)

// inParallel calls do with 0 to n-1, as many at a time as there are processors.
func inParallel(n int, do func(int)) {
	queue := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range queue {
				do(i)
			}
		})
	}
	for i := range n {
		queue <- i
	}
	close(queue)
	workers.Wait()
}
