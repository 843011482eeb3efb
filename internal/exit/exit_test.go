package exit

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"slices"
	"strconv"
	"testing"
)

// ranked are the exit codes in the order of gravity, as "rocelab help exit-codes" has them.
var ranked = []int{0, 1, 3, 2, 5, 130, 4, 131, 6}

// Of every two codes the graver one counts, whichever comes first, and of every three.
func TestGravest(t *testing.T) {
	if got := Gravest(); got != CodePass {
		t.Errorf("of no code %d", got)
	}
	all := append(slices.Clone(ranked), 134, 137, 143) // ended by SIGABRT, SIGKILL, SIGTERM
	for i, a := range all {
		for j, b := range all {
			want := all[max(i, j)]
			if got := Gravest(a, b); got != want {
				t.Errorf("of %d and %d it is %d, want %d", a, b, got, want)
			}
			for k, c := range all {
				if got, want := Gravest(a, b, c), all[max(i, j, k)]; got != want {
					t.Errorf("of %d, %d and %d it is %d, want %d", a, b, c, got, want)
				}
			}
		}
	}
}

// The exit code of a process that an error wraps is none of rocelab's.
func TestProcessThatEnded(t *testing.T) {
	for _, code := range []int{CodeUsage, CodeHost, CodePlugin, CodeInterrupted} {
		t.Run(fmt.Sprintf("code=%v", code), func(t *testing.T) {
			err := exec.Command("sh", "-c", "exit "+strconv.Itoa(code)).Run()
			if ended := new(exec.ExitError); !errors.As(err, &ended) || ended.ExitCode() != code {
				t.Fatalf("%d: %v", code, err)
			}
			if wrapped := fmt.Errorf("a tool: %w", err); Is(wrapped, code) || Of(wrapped) != CodeUsage {
				t.Errorf("%d: marked %t, its code is %d", code, Is(wrapped, code), Of(wrapped))
			}
		})
	}
}

// Every exit code has its rank.
func TestEveryExitCodeHasARank(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "exit.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	left := slices.Clone(rank)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, is := n.(*ast.ValueSpec)
		if !is || spec.Names[0].Obj.Kind != ast.Con {
			return true
		}
		code, err := strconv.Atoi(spec.Values[0].(*ast.BasicLit).Value)
		i := slices.Index(left, code)
		if err != nil || i < 0 {
			t.Errorf("%s (%d, %v) has no rank", spec.Names[0], code, err)
			return true
		}
		left = slices.Delete(left, i, i+1)
		return true
	})
	if len(left) > 0 || !slices.Equal(rank, ranked) {
		t.Errorf("ranked %v, want %v; no constant has %v", rank, ranked, left)
	}
}
