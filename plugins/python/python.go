// Package python holds the module rocelab, with which authors write algorithms in Python; see docs/algorithms.md.
package python

import "embed"

// Library is the folder of the module.
//
//go:embed rocelab/*.py
var Library embed.FS
