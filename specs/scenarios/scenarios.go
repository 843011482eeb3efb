// Package scenarios holds the scenarios that ship with rocelab.
package scenarios

import _ "embed"

// Incast is incast.yaml: sixteen senders, one receiver, one switch.
//
//go:embed incast.yaml
var Incast []byte
