package enter

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Thread runs do on a thread that ends with it, so that do may take the thread into other namespaces for good. do must
// not start a goroutine that relies on them.
func Thread(do func() error) error {
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // for ever: the thread ends with the goroutine
		if unix.Gettid() == unix.Getpid() {
			// The main thread would live on, and /proc/self shows its
			// namespaces: while it is held here, do gets another.
			result <- Thread(do)
			runtime.UnlockOSThread()
			return
		}
		result <- do()
	}()
	return <-result
}
