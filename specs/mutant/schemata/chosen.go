package schemata

// NumberVariable is the variable of the environment with the number of the mutant that acts: the index of the edit or
// comparison, plus one. 0, or no variable, is for none.
const NumberVariable = "ROCELAB_MUTANT"

// MetVariable is the variable with the path of the file to which a program adds the number of each comparison with
// equal sides, a line each, once.
const MetVariable = "ROCELAB_EDGES_MET"

const (
	module       = "github.com/rocelab/rocelab"
	chosenFolder = "specs/mutant/schemata/chosen"
	chosenFile   = chosenFolder + "/chosen.go"
	// importChosen stands behind a file's package clause, on its line.
	importChosen = `; import mutantChosen "` + module + "/" + chosenFolder + `"`
)

// chosenSource is the package that overlays hold for mutants.
const chosenSource = `package chosen

import (
	"cmp"
	"os"
	"strconv"
	"sync"
)

// Mutant is the number of the one that acts.
var Mutant, _ = strconv.Atoi(os.Getenv("` + NumberVariable + `"))

func Less[T cmp.Ordered](n int, a, b T) bool {
	return a < b || a == b && edge(n, false)
}

func LessEqual[T cmp.Ordered](n int, a, b T) bool {
	return a < b || a == b && edge(n, true)
}

func Greater[T cmp.Ordered](n int, a, b T) bool {
	return a > b || a == b && edge(n, false)
}

func GreaterEqual[T cmp.Ordered](n int, a, b T) bool {
	return a > b || a == b && edge(n, true)
}

var (
	list, _ = os.OpenFile(os.Getenv("` + MetVariable + `"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	met     sync.Map
)

// edge is what a comparison of equal sides gives.
func edge(n int, inclusive bool) bool {
	if list != nil {
		if _, before := met.LoadOrStore(n, true); !before {
			list.WriteString(strconv.Itoa(n) + "\n")
		}
	}
	return inclusive != (Mutant == n)
}
`
