// Package crash hands a fault of rocelab itself to a handler that can still clean up. A goroutine that panics ends the
// whole process at once, without the deferred calls of any other, so a testbed would stay. Each goroutine begins with
//
//	defer crash.Guard()()
//
// and a panic in it calls what the program set with OnPanic. A program that set nothing,
// such as a test, panics as ever.
package crash

import (
	"regexp"
	"runtime/debug"
	"strings"
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

// register is a line of a dump of registers, such as "rax    0xca".
var register = regexp.MustCompile(`^[a-z0-9]+ +0x[0-9a-f]+$`)

// Words are the last lines of what a program printed, at most that many, without the stacks and registers of a Go
// program that ended by a panic, a signal or a fault of the runtime: of these they are the lines that name the reason.
func Words(printed []byte, most int) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimRight(string(printed), "\n ")) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	if len(lines) == 0 || !isDump(lines[len(lines)-1]) {
		return lines[max(0, len(lines)-most):]
	}
	// The dump begins behind the last line that begins a reason; several may follow each other.
	end := len(lines) - 1
	for end >= 0 && !isReason(lines[end]) {
		end--
	}
	begin := end
	for begin > 0 && isReason(lines[begin-1]) {
		begin--
	}
	if end < 0 {
		return []string{"it ended with a dump of its stacks"}
	}
	// A panic's message may have several lines.
	for end+1 < len(lines) && lines[end+1] != "" && !isDump(lines[end+1]) {
		end++
	}
	return lines[max(begin, end+1-most) : end+1]
}

// isReason reports whether a line begins to name why a Go program ends.
func isReason(line string) bool {
	for _, begin := range []string{"panic: ", "fatal error: ", "runtime: ", "SIG", "unexpected fault address "} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return false
}

// isDump reports whether a line is one of a dump of stacks or registers.
func isDump(line string) bool {
	for _, begin := range []string{"\t", "goroutine ", "created by ", "runtime stack:", "PC=", "exit status "} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return register.MatchString(line)
}
