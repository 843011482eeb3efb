package schemata

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// measured is a package of comparisons, and its test.
var measured = map[string]string{
	"go.mod": "module " + module + "\n\ngo 1.26.0\n",
	"measured/measured.go": `package measured

type length int

const most, fits length = 10, most

const constant = most < 11

var full = func(n length) bool { return n >= most }

type queue[T any] struct{ of []T }

func (q *queue[T]) room(n int) bool {
	return 2*len(q.of)+n <= 4 && n > 0 ||
		n < // of what is below
			-5
}

func loops(n int) (sum int) {
	for i, j := 0, 8; i < n && j > n; i++ {
		for sum < 3 {
			sum++
		}
	}
	return sum
}

func nested(a, b float64) bool { return flag(a < b) <= flag(a < b) && a > 0.4*b }

func flag(is bool) length {
	if is {
		return 1
	}
	return 0
}
`,
	"measured/x_test.go": `package measured

import (
	"fmt"
	"testing"
)

func Test(t *testing.T) {
	q := &queue[int]{[]int{1}}
	fmt.Println(full(9), full(10), q.room(1), q.room(2), q.room(0), q.room(-5), loops(4), nested(2, 2), nested(1, 2))
}
`}

// Each comparison is found with its function, except bounds of loops and constants.
func TestComparisons(t *testing.T) {
	all, err := Comparisons(made(t, measured), "measured")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprint(c.Function, ": ", c.Text, " ", c.Nth))
	}
	want := []string{
		"full: n >= most 1",
		"queue.room: 2*len(q.of)+n <= 4 1",
		"queue.room: n > 0 1",
		"queue.room: n < // of what is below -5 1",
		"loops: sum < 3 1",
		"nested: flag(a < b) <= flag(a < b) 1",
		"nested: a < b 1",
		"nested: a < b 2",
		"nested: a > 0.4*b 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// With its number a comparison has the other edge, and comparisons with equal sides are on the list.
func TestBuildComparisons(t *testing.T) {
	tier.Everyday(t) // it builds a program
	root, folder := made(t, measured), t.TempDir()
	all, err := Comparisons(root, "measured")
	if err != nil {
		t.Fatal(err)
	}
	if err := BuildComparisons(root, folder, all, "./measured"); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(folder, "met")
	t.Setenv(MetVariable, list)
	const plain = "false true true true false false 3 true true"
	for number, want := range []string{
		plain,
		"false false true true false false 3 true true",
		"false true true false false false 3 true true",
		"false true true true true false 3 true true",
		"false true true true false true 3 true true",
		"false true true true false false 4 true true",
		"false true true true false false 3 false false",
		"false true true true false false 3 false true",
		"false true true true false false 3 true true",
		plain,
	} {
		if number == 1 {
			t.Setenv(MetVariable, "")
		}
		if got := printed(t, folder, "./measured", number); got != want {
			t.Errorf("mutant %d prints %q, want %q", number, got, want)
		}
	}
	met, err := Met(list)
	if err != nil || len(met) == 0 {
		t.Fatal(met, err)
	}
	for i := range all {
		if got, want := met[i+1], all[i].Text != "a > 0.4*b"; got != want {
			t.Errorf("%s: sides met: %t, want %t", all[i].Text, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(root, chosenFolder)); err == nil {
		t.Error("the tree has changed")
	}
}
