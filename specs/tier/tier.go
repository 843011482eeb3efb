// Package tier decides which tests run when, for tests and specs alike.
//
//	go test -short ./...                 under a minute, without root: what is quick
//	go test ./...                        under 4 minutes, also as root: everyday
//	ROCELAB_SLOW=1 go test ./...         under half an hour, as root: everything but the night's
//	ROCELAB_SLOW=only go test ./...      of Ginkgo suites the slow specs only, by .ci/run after the everyday tier
//	ROCELAB_NIGHT=1 go test ./...        by hand: published sizes, many faults, minutes of fuzzing
//
// As root, tests make containers, namespaces and links; ROCELAB_ROOT=0 leaves
// those tests out.
package tier

import (
	"os"
	"testing"
)

// Test is a *testing.T, a *testing.B or what ginkgo.GinkgoT returns.
type Test interface {
	Helper()
	Skip(args ...any)
}

// Everyday skips a test that -short leaves out: as a rule, one above a second.
func Everyday(t Test) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes more than a second: -short leaves it out")
	}
}

// Slow skips a test that only ROCELAB_SLOW=1, or the night, asks for: one above
// some ten seconds.
func Slow(t Test) {
	t.Helper()
	if !RunsSlow() {
		t.Skip("takes long; ROCELAB_SLOW=1 runs it")
	}
}

// RunsSlow reports whether slow tests are asked for, so that a test that is
// short every day can do more.
func RunsSlow() bool { return os.Getenv("ROCELAB_SLOW") == "1" || OnlySlow() || RunsNight() }

// OnlySlow reports whether the specs of the everyday tier are left out of Ginkgo suites, as they ran before.
func OnlySlow() bool { return os.Getenv("ROCELAB_SLOW") == "only" && !RunsNight() }

// Night skips a test that only ROCELAB_NIGHT=1 asks for: one above minutes.
func Night(t Test) {
	t.Helper()
	if !RunsNight() {
		t.Skip("takes very long; ROCELAB_NIGHT=1 runs it")
	}
}

// RunsNight reports whether the night's tests are asked for.
func RunsNight() bool { return os.Getenv("ROCELAB_NIGHT") == "1" }

// Root skips a test that changes the host and undoes the change at its end. Such a test runs only as root, without
// -short and without ROCELAB_ROOT=0; what names the part of the test that needs root.
func Root(t Test, what string) {
	t.Helper()
	switch {
	case os.Geteuid() != 0:
		t.Skip(what + " needs root")
	case testing.Short():
		t.Skip(what + " needs root: -short leaves it out")
	case os.Getenv("ROCELAB_ROOT") == "0":
		t.Skip(what + " needs root: ROCELAB_ROOT=0 leaves it out")
	}
}
