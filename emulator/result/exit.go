package result

import "github.com/rocelab/rocelab/internal/exit"

// ExitCode is the exit code of runs with these verdicts.
func ExitCode(verdicts ...Verdict) int {
	code := exit.CodePass
	for _, v := range verdicts {
		code = exit.Gravest(code, v.Status.exitCode())
	}
	return code
}

// exitCode is the exit code of one run.
func (s Status) exitCode() int {
	switch s {
	case Pass, Amber:
		return exit.CodePass
	case Failed:
		return exit.CodeFailed
	case Interrupted:
		return exit.CodeInterrupted
	}
	return exit.CodeVerdict // void and red
}
