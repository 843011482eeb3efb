package crash

import (
	"strings"
	"testing"
)

// The output shows the reason of a program's end without its registers; text that is not a dump stays as it is. Tier:
// -short.
func TestWords(t *testing.T) {
	const dump = `old line
runtime: failed to create new OS thread (have 3 already; errno=11)
runtime: may need to increase max user processes (ulimit -u)
fatal error: newosproc

runtime stack:
runtime.throw({0x9a1b2c?, 0x3?})
	/usr/local/go/src/runtime/panic.go:1101 +0x48

goroutine 1 gp=0xc000002380 m=nil [runnable]:
runtime.main()
	/usr/local/go/src/runtime/proc.go:147 fp=0xc00009e7e0

rax    0x0
rip    0x47b3a1
gs     0x0
`
	for _, c := range []struct{ name, printed, want string }{
		{"a fault of the runtime", dump, "runtime: failed to create new OS thread (have 3 already; errno=11)|" +
			"runtime: may need to increase max user processes (ulimit -u)|fatal error: newosproc"},
		{"a panic of two lines", "x\npanic: one\ntwo\n\ngoroutine 7 [running]:\nmain.f()\n\t/a.go:3 +0x1\n",
			"panic: one|two"},
		{"a signal", "SIGQUIT: quit\nPC=0x47 m=0 sigcode=0\n\ngoroutine 0 [idle]:\nf()\n\t/a.go:1\nrax    0x1\n",
			"SIGQUIT: quit"},
		{"a dump without a reason", "goroutine 1 [running]:\nmain.f()\n\t/a.go:3 +0x1\n",
			"it ended with a dump of its stacks"},
		{"an older panic", "panic: old\n\ngoroutine 7 [running]:\n\t/a.go:3\na\nb\nc\nd\n", "b|c|d"},
		{"few lines", "one\n\n", "one"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Words([]byte(c.printed), 3), "|"); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
}
