package cni

import (
	"errors"
	"io/fs"

	"github.com/containernetworking/cni/pkg/types"
	"github.com/containernetworking/plugins/pkg/ns"

	"github.com/rocelab/rocelab/testbed/nodes/netns"
)

// Codes of the plugin's own errors, beside the codes of the specification (which leaves 100 and above to plugins).
const (
	// codeExists: an interface of that name is in the container already.
	codeExists uint = 100
	// codeTaken: the link has two ends, or the container is attached already.
	codeTaken uint = 101
	// codeBroken: CHECK found the link missing or changed.
	codeBroken uint = 102
)

func invalid(err error) error {
	return types.NewError(types.ErrInvalidNetworkConfig, "invalid network configuration", err.Error())
}

// failure is the error of making a link, with the code that fits it.
func failure(err error) error {
	code := types.ErrInternal
	var (
		exists  *netns.ExistsError
		unknown ns.NSPathNotNSErr
	)
	switch {
	case errors.As(err, &exists):
		code = codeExists
	case errors.As(err, &unknown), errors.Is(err, fs.ErrNotExist):
		code = types.ErrInvalidNetNS
	}
	return types.NewError(code, "make the link", err.Error())
}

// failures is one error for several, since a runtime reads but one; nil if all
// are.
func failures(what string, problems ...error) error {
	if err := errors.Join(problems...); err != nil {
		return types.NewError(types.ErrInternal, what, err.Error())
	}
	return nil
}
