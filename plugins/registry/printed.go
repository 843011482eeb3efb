package registry

import (
	"sync"

	"github.com/rocelab/rocelab/plugins/process"
)

// printedSize is the number of bytes kept of a program's output: more than the stacks of a program that gives up.
const printedSize = 1 << 20

// printed keeps the last of what programs print, by the names of their logs.
type printed struct {
	mu    sync.Mutex
	tails map[string]*process.Tail
}

func (p *printed) of(log string) *process.Tail {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tails == nil {
		p.tails = map[string]*process.Tail{}
	}
	if p.tails[log] == nil {
		p.tails[log] = process.NewTail(printedSize)
	}
	return p.tails[log]
}

// Printed returns the end of the programs' output, 1 MB at most of each, by the name of the program's log; programs
// without output are not among them. The output of programs of Fresh registries counts too.
func (r *Registry) Printed() map[string][]byte {
	r.printed.mu.Lock()
	defer r.printed.mu.Unlock()
	texts := map[string][]byte{}
	for log, tail := range r.printed.tails {
		if text := tail.Bytes(); len(text) > 0 {
			texts[log] = text
		}
	}
	return texts
}
