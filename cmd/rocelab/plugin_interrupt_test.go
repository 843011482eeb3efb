//go:build linux && !mem

package main

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// An interruption is heard while a plugin is being started that never shakes hands, by each command that starts some.
// Without that the test ends by its own time limit.
func TestInterruptedAsAPluginStarts(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", fits)
	if err := os.Mkdir("mute", 0o755); err != nil {
		t.Fatal(err)
	}
	text := "#!/bin/sh\ntouch \"$0.began\"\nexec sleep 36061\n"
	if err := os.WriteFile("mute/cc-mute", []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{
		"run x.yaml --no-folder --algorithm mute",
		"compare x.yaml --algorithm mute,dcqcn",
		"sweep x.yaml --grid algorithm=mute,dcqcn --out sweep",
		"validate x.yaml --set algorithm=mute",
		"algorithm list",
		"algorithm check mute",
	} {
		t.Run(words, func(t *testing.T) {
			if err := os.RemoveAll("mute/cc-mute.began"); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			s.ctx = ctx
			go func() {
				for !exists("mute/cc-mute.began") && ctx.Err() == nil {
					time.Sleep(5 * time.Millisecond)
				}
				cancel()
			}()
			s.run(130, append(strings.Fields(words), "--plugin-dir", "mute", "--plugin-start", "1h")...)
			cancel()
		})
	}
	if left := runningAs("sleep\x0036061"); left {
		t.Error("the plugin is still there")
	}
}

// runningAs reports whether a process of this machine has these words, each with a zero byte behind it.
func runningAs(words string) bool {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if text, err := os.ReadFile("/proc/" + e.Name() + "/cmdline"); err == nil && strings.Contains(string(text), words) {
			return true
		}
	}
	return false
}
