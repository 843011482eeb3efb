// Package enginetest has an engine cut its windows and share its work otherwise than it
// would, for tests which show that a result depends on neither. Nothing else imports
// it: specs/architecture holds who may.
package enginetest

import (
	"context"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Windows determines how an engine runs its windows. The zero value leaves the choice to the engine.
type Windows struct {
	// Cut shortens windows: given a window's start it returns a length, at least 1 ps
	// and at most the lookahead. Nil cuts none.
	Cut func(start unit.Time) unit.Duration
	// AllWorkers runs every window on all workers, however small the fabric and
	// whether that is faster or not.
	AllWorkers bool
}

type key struct{}

// With returns a context in which engines run their windows in the given way.
func With(ctx context.Context, windows Windows) context.Context {
	return context.WithValue(ctx, key{}, windows)
}

// Of returns what With put into the context.
func Of(ctx context.Context) Windows {
	w, _ := ctx.Value(key{}).(Windows)
	return w
}
