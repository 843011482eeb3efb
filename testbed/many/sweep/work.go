package sweep

import (
	"context"
	"sync"
)

// work is runs under way.
type work struct {
	*Runner
	giveUp func()

	mu   sync.Mutex
	todo []*Run
	// later are runs that another process seemed to be making; they come last.
	later []*Run
	err   error
}

// next takes a run; last is set if it was put off. nil when there is none.
func (w *work) next(ctx context.Context) (run *Run, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := &w.todo
	if len(w.todo) == 0 {
		list, last = &w.later, true
	}
	if ctx.Err() != nil || len(*list) == 0 {
		return nil, false
	}
	run = (*list)[0]
	*list = (*list)[1:]
	return run, last
}

// job takes one run after the other until none is left.
func (w *work) job(ctx context.Context, job int) {
	for {
		run, last := w.next(ctx)
		if run == nil {
			return
		}
		if !last && w.Folder.Elsewhere(run.ID) {
			w.mu.Lock()
			w.later = append(w.later, run)
			w.mu.Unlock()
			continue
		}
		err := w.one(ctx, run, job)
		w.mu.Lock()
		if err != nil && w.err == nil {
			w.err = err
			w.giveUp()
		}
		w.mu.Unlock()
	}
}
