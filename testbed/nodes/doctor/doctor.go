package doctor

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Status is the outcome of an examination.
type Status uint8

// The outcomes.
const (
	// OK: it is there and suffices.
	OK Status = iota
	// Warning: the testbed runs, but may be slower than it need be.
	Warning
	// OptionalMissing: a convenience that is not there.
	OptionalMissing
	// Missing: the testbed cannot run.
	Missing
)

var statusNames = [...]string{OK: "ok", Warning: "warning", OptionalMissing: "optional", Missing: "missing"}

// String returns the outcome's name in tables and JSON: ok, warning, optional
// or missing.
func (s Status) String() string { return statusNames[s] }

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Finding is the result of an examination.
type Finding struct {
	// Name is the subject of the examination, such as "cgroups".
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Detail is the observation; Remedy the way to mend it, "" if there is nothing to do.
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// Text is the detail for people, with sizes as tables have them; the detail has all their digits.
func (f Finding) Text() string {
	return sizes.ReplaceAllStringFunc(f.Detail, func(text string) string {
		size, err := unit.ParseBytes(text)
		if err != nil {
			return text
		}
		return size.Figure()
	})
}

// sizes are sizes in a text.
var sizes = regexp.MustCompile(`\b\d+(\.\d+)?[KMGT]?B\b`)

// Examine examines the host for a testbed that needs n. Once ctx is done no
// further examination begins.
func Examine(ctx context.Context, n Footprint) (list []Finding) {
	h := host{root: "/"}
	for _, look := range []func() []Finding{
		h.linux, h.rights, h.namespaces, h.network, h.calls, h.cgroups,
		func() []Finding { return h.room(n) },
		h.backlog, h.run,
		h.rootless,
		func() []Finding { return tools(ctx) },
	} {
		if ctx.Err() != nil {
			return list
		}
		list = append(list, look()...)
	}
	return list
}

// Required returns nil if this host has all that the testbed needs, and else a
// lackError.
func Required() error { return RequiredFor(Footprint{}) }

// RequiredFor is Required for a testbed that needs n.
func RequiredFor(n Footprint) error { return Lack(Examine(context.Background(), n)) }

// Lack returns nil if nothing required is missing among the findings, and else a lackError with the missing ones.
func Lack(findings []Finding) error {
	var missing []Finding
	for _, f := range findings {
		if f.Status == Missing {
			missing = append(missing, f)
		}
	}
	if missing == nil {
		return nil
	}
	return &lackError{missing}
}

// lackError lists this host's missing requirements.
type lackError struct{ Missing []Finding }

// Error names each thing that is missing, one a line, with its remedy. A remedy common to all is given once, before
// them.
func (e *lackError) Error() string {
	const lacks = "this host lacks requirements of the testbed"
	common := e.commonRemedy()
	var lines []string
	for _, f := range e.Missing {
		line := f.Name + ": " + f.Detail
		if f.Remedy != "" && common == "" {
			line += " (" + f.Remedy + ")"
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 {
		return lacks + ": " + lines[0]
	}
	if common != "" {
		common = " (" + common + ")"
	}
	return lacks + common + ":\n  " + strings.Join(lines, "\n  ")
}

// commonRemedy returns the remedy of several missing things, "" if they differ.
func (e *lackError) commonRemedy() string {
	first := e.Missing[0].Remedy
	differs := func(f Finding) bool { return f.Remedy != first }
	if len(e.Missing) == 1 || slices.ContainsFunc(e.Missing, differs) {
		return ""
	}
	return first
}

// found is a finding that is as it should be.
func found(name, detail string, args ...any) Finding {
	return Finding{Name: name, Status: OK, Detail: fmt.Sprintf(detail, args...)}
}

// asRoot is the remedy for all that only root may do.
const asRoot = "run it as root: sudo rocelab ..."

// failed is the finding about a trial that ended with err.
func failed(name string, err error, remedy string) Finding {
	if denied(err) {
		remedy = asRoot
	}
	return Finding{Name: name, Status: Missing, Detail: err.Error(), Remedy: remedy}
}

// denied reports whether err is for want of rights.
func denied(err error) bool { return errors.Is(err, errDenied) || errors.Is(err, errAccess) }
