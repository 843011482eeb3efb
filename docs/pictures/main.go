// Command pictures draws the pictures of the documentation, so that a change of
// one is a change of its code:
//
//	go generate ./docs/pictures
//
// writes each as an SVG file into the folder that it is started in. It imports
// nothing of the project. Limits: text is not measured but estimated, by the
// widest of the common sans-serif fonts, so a box is rather too wide than too
// narrow.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
)

//go:generate go run .

// pictures are all there are, by the names of their files.
var pictures = map[string]func() *drawing{
	"floors.svg":   floors,
	"frame.svg":    frame,
	"house.svg":    house,
	"rocelab.svg":  overview,
	"why-bin.svg":  whyBin,
	"why-time.svg": whyTime,
	"windows.svg":  windows,
}

func main() {
	for _, name := range slices.Sorted(maps.Keys(pictures)) {
		if err := os.WriteFile(name, []byte(pictures[name]().svg()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "pictures:", err)
			os.Exit(1)
		}
	}
}
