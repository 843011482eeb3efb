package crash

import (
	"regexp"
	"strings"
)

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
