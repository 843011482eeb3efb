// Command pc4 is the arithmetic beside the search for PC4's constants, described in pc4-constants.md, one folder up.
// The runs are rocelab's; this program
//
//	go run ./docs/findings/pc4 cases held-out > docs/findings/pc4/held-out.yaml
//	go run ./docs/findings/pc4 cases COMMIT > docs/findings/pc4/drawn.yaml
//	go run ./docs/findings/pc4 apart HASH > experiments/apart/scenarios/p7.yaml
//
// writes scenarios with cases that no search saw: the cases of a list, ten that the hash of a commit draws, or fifteen
// that PC4 was not made for, and
//
//	go run ./docs/findings/pc4 score TITLE train.yaml train.csv train-delay.yaml delay.csv > sets.csv
//	go run ./docs/findings/pc4 best sets.csv
//	go run ./docs/findings/pc4 decides sets.csv
//	go run ./docs/findings/pc4 front sets.csv > docs/findings/pc4/front.svg
//
// judges the tables of sweeps by what their scenarios ask for, lists the best sets and which constant decides
// what as Markdown, and draws all sets. search.sh has the whole of it. It imports nothing of the project.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

var errUsage = errors.New("usage: cases held-out|COMMIT, apart HASH, score TITLE SCENARIO TABLE " +
	"and more pairs, or best|decides|front and files of scores")

// judged are the commands that take scores.
var judged = map[string]func(io.Writer, []scored) error{
	"best":    writeBest,
	"decides": writeDecides,
	"front":   writeFront,
}

func main() {
	if err := command(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pc4:", err)
		os.Exit(1)
	}
}

func command(to io.Writer, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "cases":
		return writeCases(to, args[1])
	case len(args) == 2 && args[0] == "apart":
		return writeApart(to, args[1])
	case len(args) >= 4 && args[0] == "score" && len(args)%2 == 0:
		sets, err := readSets(args[2:])
		if err != nil {
			return err
		}
		return writeScores(to, args[1], sets)
	case len(args) >= 2 && judged[args[0]] != nil:
		scores, err := readScores(args[1:]...)
		if err != nil {
			return err
		}
		return judged[args[0]](to, scores)
	}
	return errUsage
}
