// Command two-dc draws what ../two-dc-lengths.md shows: how near a training over two data centres comes
// to its bound, by the length of the fibre between them. The runs are rocelab's; lengths.sh has the whole
// of it.
//
//	go run ./docs/findings/two-dc draw computed lengths.csv > docs/findings/two-dc/computed.svg
//	go run ./docs/findings/two-dc draw fixed lengths.csv > docs/findings/two-dc/fixed.svg
//	go run ./docs/findings/two-dc table computed lengths.csv
//
// draw makes a picture of a sweep's table, and table the same as Markdown: with the memory that follows
// from the length, or with that of 120 km at every length.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

var errUsage = errors.New("usage: draw|table computed|fixed TABLE")

// memories are the values of switch.dci.buffer by what they mean.
var memories = map[string]string{"computed": "0B", "fixed": "18750KB"}

func main() {
	if err := command(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "two-dc:", err)
		os.Exit(1)
	}
}

func command(to io.Writer, args []string) error {
	if len(args) != 3 || memories[args[1]] == "" {
		return errUsage
	}
	file, err := os.Open(args[2])
	if err != nil {
		return err
	}
	defer file.Close()
	swept, err := read(file, memories[args[1]])
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", args[2], err)
	case args[0] == "draw":
		_, err = io.WriteString(to, swept.draw(args[1]).File())
		return err
	case args[0] == "table":
		return swept.write(to)
	}
	return errUsage
}
