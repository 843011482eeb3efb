package plugins_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/program"
	"github.com/rocelab/rocelab/specs/tier"
)

var fused = regexp.MustCompile(`\(([^)]*)\)\s+FN?M(ADD|SUB)[DS]\s`)

// No product is fused into a sum, also not across statements, where a compiler may do so and the source does not show
// it. This test reads the arm64 code of the algorithms, of the models around them, and of the packages that make plans
// and the files of a run: for arm64 the compiler fuses wherever it can.
func TestNothingIsFused(t *testing.T) {
	tier.Everyday(t)
	program.DependOnTree(t)
	args := []string{"build", "-gcflags=-S", "./pidnn/lstm", "../nicd/...", "../switchd/...", "../wan/...",
		"../emulator/..."}
	for _, name := range []string{"", "/elementary", "/unit", "/chance", "/inband"} {
		args = append(args, "github.com/rocelab/rocelab/plugins/cc"+name)
	}
	for _, a := range shipped.All() {
		args = append(args, "./"+a.Describe().Name)
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "FMULD") {
		t.Fatal("the compiler showed no code")
	}
	for _, m := range fused.FindAllStringSubmatch(string(out), -1) {
		t.Errorf("%s: a product is fused into a sum", m[1])
	}
}
