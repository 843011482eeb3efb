// Package findings has the recorded figures of published experiments, so that rocelab reproduce
// can hold what it measures to them.
package findings

import _ "embed"

// Reproduction is reproduction.json.
//
//go:embed reproduction.json
var Reproduction []byte

// Hardware is hardware.json, the figures that were recorded beside records of hardware.
//
//go:embed hardware.json
var Hardware []byte
