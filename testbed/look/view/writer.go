package view

import (
	"errors"
	"os"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
)

// fresh is how long a new folder's lock is not tried, so that its writer gets it.
const fresh = 2 * time.Second

// writerOf reports whether an unfinished folder has a writer, which holds the lock of its UNFINISHED.md.
func writerOf(files inside) state {
	const name = "UNFINISHED.md"
	info, err := files.Stat(name)
	if err != nil {
		return Unfinished
	}
	if time.Since(info.ModTime()) < fresh {
		return running
	}
	opened, err := files.Open(name)
	if err != nil {
		return Unfinished
	}
	defer opened.Close()
	file, ok := opened.(*os.File)
	if !ok {
		return Unfinished
	}
	switch err := result.TryLock(file); {
	case err == nil:
		return killed
	case errors.Is(err, result.ErrLocked):
		return running
	}
	return Unfinished
}
