package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// echo is the time after a signal within which another counts as the same one: timeout(1) sends its signal to the
// command and then to the command's whole group.
const echo = 100 * time.Millisecond

func main() {
	becomePart()
	defer guardMain()()
	dumpOnQuit()
	paceCollector()
	ctx, stop := signal.NotifyContext(context.Background(), interruptions()...)
	context.AfterFunc(ctx, func() {
		time.Sleep(echo)
		stop() // a second signal kills
	})
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	dying.Lock() // whoever ends this process already says with which code
	os.Exit(code)
}

// interruptions are the signals that ask a command to end. Closing the terminal asks too, unless nohup disabled that.
func interruptions() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}
