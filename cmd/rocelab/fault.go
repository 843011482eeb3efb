package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"

	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/internal/exit"
)

// dying is held by who ends this process, for good.
var dying sync.Mutex

// guardMain guards the main goroutine; call what it returns deferred. A panic anywhere
// takes this process's testbeds away, which no deferred call of another goroutine would.
func guardMain() func() {
	crash.OnPanic(func(reason any, stack []byte) {
		dying.Lock()
		fmt.Fprintf(os.Stderr, "rocelab: an internal error of rocelab: please report it with these lines (version "+
			"%s): %v\n%s",
			build.Read().Version, reason, stack)
		abandon(exit.CodeFault)
	})
	return crash.Guard()
}

// quits takes SIGQUIT.
var quits = make(chan os.Signal, 2)

// dumpOnQuit makes SIGQUIT (Ctrl-\) print the stacks of all goroutines, as Go's runtime would, but destroy this
// process's testbeds before it ends. A second one does not wait for that.
func dumpOnQuit() {
	if signal.Ignored(syscall.SIGQUIT) {
		return
	}
	signal.Notify(quits, syscall.SIGQUIT)
	go func() {
		defer crash.Guard()()
		<-quits
		go func() {
			<-quits
			os.Exit(exit.CodeQuit)
		}()
		dying.Lock()
		stacks := make([]byte, 1<<20)
		for len(stacks) < 1<<26 && runtime.Stack(stacks, true) == len(stacks) {
			stacks = make([]byte, 2*len(stacks))
		}
		stacks = stacks[:runtime.Stack(stacks, true)]
		fmt.Fprintf(os.Stderr, "rocelab: SIGQUIT: stacks of all goroutines (version %s):\n"+
			"%s", build.Read().Version, stacks)
		abandon(exit.CodeQuit)
	}()
}

// abandon takes away what would outlive this process, and ends it.
func abandon(code int) {
	if err := destroyOwn(); err != nil {
		fmt.Fprintf(os.Stderr, "rocelab: %v\n", err)
	}
	os.Exit(code)
}
