// Command small prints words, for the tests of package program.
package main

import (
	_ "embed"
	"fmt"
)

// word may be set by the linker.
var word = "small"

//go:embed words/embedded.txt
var embedded string

func main() { fmt.Println(word, embedded) }
