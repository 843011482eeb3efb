package veth_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/container"
	"github.com/rocelab/rocelab/testbed/daemon"
	"github.com/rocelab/rocelab/testbed/doctor"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/veth"
)

func TestMain(m *testing.M) {
	container.Init()
	if len(os.Args) > 1 && os.Args[1] == "daemon" { // in a container
		os.Exit(daemon.Main("daemon", os.Args[2:], daemon.Host{Builtin: shipped.Find, Start: process.Run}))
	}
	os.Exit(m.Run())
}

func plans(t *testing.T, file string, sets map[string]string) []*plan.Plan {
	t.Helper()
	s, err := scenario.Load(filepath.Join("../../specs/scenarios", file), model.Checker(shipped.Find), scenario.WithOverrides(sets))
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Plans()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTraceIsThatOfMem(t *testing.T) {
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	for _, way := range []veth.Daemons{veth.PerServer, veth.PerNode, veth.Pool} {
		list := plans(t, "incast.yaml", map[string]string{"traffic.size": cmpSize()})
		tb, err := veth.Deploy(context.Background(), list[0], veth.Config{Name: fmt.Sprintf("t%d-%s", os.Getpid(), way), Runtime: "builtin", Daemons: way, Ephemeral: false})
		if err != nil {
			t.Fatal(err)
		}
		defer tb.Destroy(context.Background())
		for _, p := range list {
			want, err := mem.Run(context.Background(), p, mem.Options{Algorithms: shipped.Find})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			got, err := tb.Run(ctx, p, veth.Options{})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if got.Trace != want.Trace || got.End != want.End || got.Hops != want.Hops {
				t.Errorf("%s, %s: trace %016x at %v, %d hops; mem %016x at %v, %d hops", way, p.Name, got.Trace, got.End, got.Hops, want.Trace, want.End, want.Hops)
			}
			t.Logf("%s %s: %d hops in %v: %.0f k/s; %d windows", way, p.Name, got.Hops, got.Wall, float64(got.Hops)/got.Wall.Seconds()/1e3, got.Windows)
		}
	}
}

func cmpSize() string {
	if s := os.Getenv("SIZE"); s != "" {
		return s
	}
	return "500KB"
}

func TestCaptureIsThatOfMem(t *testing.T) {
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	for _, p := range plans(t, "incast.yaml", map[string]string{"traffic.size": "200KB"}) {
		tb, err := veth.Deploy(context.Background(), p, veth.Config{Name: fmt.Sprintf("c%d-%s", os.Getpid(), p.Name), Runtime: "builtin"})
		if err != nil {
			t.Fatal(err)
		}
		defer tb.Destroy(context.Background())
		ports := []string{"s0:16", "h3"}
		var want, got bytes.Buffer
		if _, err := mem.Run(context.Background(), p, mem.Options{Algorithms: shipped.Find, Captures: ports, CaptureTo: &want}); err != nil {
			t.Fatal(err)
		}
		if _, err := tb.Run(context.Background(), p, veth.Options{Captures: ports, CaptureTo: &got}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: capture of %d B, that of mem has %d", p.Name, got.Len(), want.Len())
		}
	}
}

func TestPluginProcessesLeaveTheTraceAsItIs(t *testing.T) {
	if err := doctor.Required(); err != nil {
		t.Skip(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/cc-pc4", "../../cmd/cc-dcqcn").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	plugins := map[string]string{"pc4": filepath.Join(bin, "cc-pc4"), "dcqcn": filepath.Join(bin, "cc-dcqcn")}
	list := plans(t, "incast.yaml", map[string]string{"traffic.size": "300KB"})
	tb, err := veth.Deploy(context.Background(), list[0], veth.Config{Name: fmt.Sprintf("p%d", os.Getpid()), Runtime: "builtin", Plugins: plugins})
	if err != nil {
		t.Fatal(err)
	}
	defer tb.Destroy(context.Background())
	for _, p := range list {
		want, err := mem.Run(context.Background(), p, mem.Options{Algorithms: shipped.Find})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tb.Run(context.Background(), p, veth.Options{Plugins: plugins})
		if err != nil {
			t.Fatal(err)
		}
		if got.Trace != want.Trace {
			t.Errorf("%s: trace %016x, that of mem is %016x", p.Name, got.Trace, want.Trace)
		}
		t.Logf("%s: %.0f k/s, %v", p.Name, float64(got.Hops)/got.Wall.Seconds()/1e3, got.Wall)
	}
}
