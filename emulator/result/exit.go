package result

import "slices"

// Exit codes of rocelab.
const (
	ExitPass        = 0   // every run passed
	ExitFailed      = 1   // an expectation was not met
	ExitUsage       = 2   // wrong usage or an invalid scenario
	ExitVerdict     = 3   // a verdict is red or void
	ExitHost        = 4   // the host lacks something
	ExitPlugin      = 5   // an algorithm crashed or answered nonsense
	ExitFault       = 6   // a fault of rocelab itself
	ExitInterrupted = 130 // stopped by a signal
	ExitQuit        = 131 // SIGQUIT asked what it was doing
)

// exitRank has the exit codes in the order of gravity. Runs that all have a result come first, by their
// verdicts; then runs without a result that are not tried again; then what leaves runs to be made.
var exitRank = []int{ExitPass, ExitFailed, ExitVerdict, ExitUsage, ExitPlugin, ExitInterrupted, ExitHost, ExitQuit,
	ExitFault}

// Gravest is the exit code of several runs or processes, of their own codes the gravest; ExitPass of none. A
// code that is not one of rocelab's, such as 137 of a process that was killed, is graver than all of these; of
// two of them the greater one counts.
func Gravest(codes ...int) int {
	gravest := ExitPass
	for _, code := range codes {
		if gravity(code) > gravity(gravest) {
			gravest = code
		}
	}
	return gravest
}

// gravity is the place of a code in the order.
func gravity(code int) int {
	if i := slices.Index(exitRank, code); i >= 0 {
		return i
	}
	return len(exitRank) + code
}

// ExitCode is the exit code of runs with these verdicts.
func ExitCode(verdicts ...Verdict) int {
	code := ExitPass
	for _, v := range verdicts {
		code = Gravest(code, v.Status.exitCode())
	}
	return code
}

// exitCode is the exit code of one run.
func (s Status) exitCode() int {
	switch s {
	case Pass, Amber:
		return ExitPass
	case Failed:
		return ExitFailed
	case Interrupted:
		return ExitInterrupted
	}
	return ExitVerdict // void and red
}
