package veth

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
)

// own are the testbeds that end with this process: testbeds of runs, and testbeds that are coming up.
var own = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

func adopt(name string) {
	own.Lock()
	defer own.Unlock()
	own.names[name] = true
}

func disown(name string) {
	own.Lock()
	defer own.Unlock()
	delete(own.names, name)
}

// DestroyOwn takes away all testbeds that end with this process, if that cannot go on: it does not need anything from
// their makers.
func DestroyOwn(ctx context.Context) error {
	own.Lock()
	names := slices.Sorted(maps.Keys(own.names))
	own.Unlock()
	var err error
	for _, name := range names {
		var gone *NotFoundError
		if failed := Destroy(ctx, name); !errors.As(failed, &gone) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
