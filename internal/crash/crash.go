// Package crash hands a fault of rocelab itself to a handler that can still clean up. A goroutine that panics ends the
// whole process at once, without the deferred calls of any other, so a testbed would stay. Each goroutine begins with
//
//	defer crash.Guard()()
//
// and a panic in it calls what the program set with OnPanic. A program that set nothing,
// such as a test, panics as ever.
package crash

import (
	"runtime/debug"
	"sync/atomic"
)

// handler is the function given to OnPanic.
var handler atomic.Pointer[func(reason any, stack []byte)]

// OnPanic sets what a panic in a guarded goroutine calls, in that goroutine. It should
// not return.
func OnPanic(f func(reason any, stack []byte)) { handler.Store(&f) }

// Guard guards the calling goroutine until the function that it returns is called,
// which must be deferred. A fault in memory that is shared with another process, which
// may cut it, is a panic in it too, not the immediate end.
func Guard() func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		f := handler.Load()
		if f == nil {
			return
		}
		if reason := recover(); reason != nil {
			(*f)(reason, debug.Stack())
		}
	}
}
