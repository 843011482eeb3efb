//go:build !linux || (!amd64 && !arm64)

package surroundings

import (
	"context"
	"errors"
	"runtime"
)

// Init does nothing on this system.
func Init() {}

// Through needs Linux.
func (f Factors) Through() ([]string, error) {
	return nil, errors.New("other surroundings need Linux on amd64 or arm64, this is " + runtime.GOOS + "/" +
		runtime.GOARCH)
}

// Try needs Linux.
func (f Factors) Try(context.Context) error {
	_, err := f.Through()
	return err
}
