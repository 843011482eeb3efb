//go:build linux && !mem

package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/exit"
)

// An impossible wire is refused before an interface is touched, with the flag that asks for it.
func TestAWireThatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"one", exit.CodeUsage, "INTERFACE INTERFACE"},
		{"one one", exit.CodeUsage, "given twice"},
		{"one two --rate fast", exit.CodeUsage, `--rate "fast"`},
		{"one two --length 12", exit.CodeUsage, `--length "12"`},
		{"one two --ecn 150KB", exit.CodeUsage, `--ecn`},
		{"one two --ecn 450KB,150KB", exit.CodeUsage, "kmin"},
		{"one two --burst 2,0.1", exit.CodeUsage, `--burst "2"`},
		{"one two --burst 0.1,0.1 --loss 0.1", exit.CodeUsage, "--loss and --burst"},
		{"one two --loss 2", exit.CodeUsage, "loss"},
		{"one two --dilate 0", exit.CodeUsage, "dilation 0"},
		{"one two --until 0s", exit.CodeUsage, "--until"},
		{"one two --length 1km --rate 10Mbps", exit.CodeUsage, "long-haul path"},
		{"no-such-if1 no-such-if2", exit.CodeUsage, "no-such-if1"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Setenv("ROCELAB_RUN", t.TempDir())
			var out, errs bytes.Buffer
			code := execute(context.Background(), append([]string{"wire"}, strings.Fields(c.args)...), &out, &errs)
			if code != c.code || !strings.Contains(errs.String(), c.want) || out.Len() > 0 {
				t.Errorf("wire %s: code %d, printed %q, %q; want %d and %q", c.args, code, out.String(), errs.String(), c.code,
					c.want)
			}
		})
	}
}

// What --print prints is a scenario.
func TestAWireIsAScenario(t *testing.T) {
	var out, errs bytes.Buffer
	args := strings.Fields("wire eth1 eth2 --length 120km --burst 1e-5,0.1 --jitter 20us --ecn 150KB,450KB --print")
	if code := execute(context.Background(), args, &out, &errs); code != 0 {
		t.Fatal(errs.String())
	}
	file := t.TempDir() + "/wire.yaml"
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if code := execute(context.Background(), []string{"validate", file}, &out, &errs); code != 0 ||
		!strings.Contains(out.String(), "600us") {
		t.Errorf("code %d: %s%s", code, out.String(), errs.String())
	}
}
