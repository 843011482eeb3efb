package fingerprint

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// forARM64 are rows that an emulated processor runs in some seconds: every shipped
// algorithm, marks, pauses, clocks and fibre.
const forARM64 = "TestFingerprints/rows/(incast|clock-noise|pfc-storm|wan-120km).yaml_--set"

// A program for arm64 gives the same traces, as far as qemu is right about floats. That
// no product is fused into a sum is seen in the code (TestNothingIsFused of plugins): such a
// last bit seldom reaches a trace. Tier: night.
func TestFingerprintsOnARM64(t *testing.T) {
	tier.Night(t)
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil || runtime.GOARCH == "arm64" {
		t.Skip("needs a processor that is not arm64, and qemu-aarch64 (package qemu-user)")
	}
	program := filepath.Join(t.TempDir(), "fingerprint.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), qemu, program, "-test.v", "-test.run", forARM64)
	run.Env = append(os.Environ(), "ROCELAB_SLOW=1", "ROCELAB_NIGHT=0")
	out, err := run.CombinedOutput()
	if rows := strings.Count(string(out), "    --- PASS: TestFingerprints/rows/"); err != nil || rows < 40 {
		t.Errorf("%d rows: %v\n%s", rows, err, out)
	}
}
