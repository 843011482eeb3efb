package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/rocelab/rocelab/testbed/container"
)

// garbage is the heap's growth in percent at which it is collected. A run
// allocates while queues fill for the first time and hardly after that, so
// collecting more often than by default costs little; it takes 3 to 8 % off the
// peak memory of a 1024-host fat tree. GOGC in the environment overrides it.
const garbage = 40

func main() {
	container.Init()
	runDaemon()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
