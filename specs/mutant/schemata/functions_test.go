package schemata

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// subject has a function of each kind, and a test that prints what they give.
const subject = `// Package subject is a package.
package subject // with a comment

import (
	"fmt"
	"strings"
)

const most = 10

var twice = func(a int) int { return 2 * a }

type box[T any] struct{ in []T }

func (b *box[T]) put(more ...T) (n int, err error) {
	defer func() { n++ }()
	b.in = append(b.in, more...)
	return len(b.in), nil
}

func (box[T]) _() {}

func each[K comparable, V any](m map[K]V, _ K) int { return len(m) }

func factorial(n int) int {
	if n < 2 {
		return 1
	}
	return n * factorial(n-1)
}

var told string

func tell(word string) { told = strings.ToUpper(word) }

func search(n int) (found int) {
outer:
	for i := 0; ; i++ {
		for j := 0; j < i; j++ {
			if i*j > n {
				found = i
				break outer
			}
		}
	}
	return found
}

func safe(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return "fine"
}
`

const subjectTest = `package subject

import (
	"fmt"
	"testing"
)

func Test(t *testing.T) {
	n, err := new(box[int]).put(1, 2)
	tell("a")
	fmt.Println(most, twice(1), n, err, each(map[int]int{1: 1}, 0), factorial(4), told, search(5),
		safe(func() { panic("at the disco") }))
}
`

var subjectFiles = map[string]string{
	"go.mod":             "module " + module + "\n\ngo 1.26.0\n",
	"subject/subject.go": subject,
	"subject/x_test.go":  subjectTest,
}

// made is a module in a folder of the test's, of those files.
func made(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// edit is the one that puts text in the place of before, which occurs once.
func edit(t *testing.T, before, text string) Edit {
	t.Helper()
	if strings.Count(subject, before) != 1 {
		t.Fatalf("%q occurs %d times", before, strings.Count(subject, before))
	}
	at := strings.Index(subject, before)
	return Edit{File: "subject/subject.go", At: at, End: at + len(before), Text: text}
}

// printed returns the output of a package's test with a mutant.
func printed(t *testing.T, folder, pkg string, number int) string {
	t.Helper()
	run := exec.Command(Program(folder, pkg))
	run.Env = append(os.Environ(), fmt.Sprint(NumberVariable, "=", number))
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// One program behaves as with each single edit, and without a number as the source.
func TestBuild(t *testing.T) {
	tier.Everyday(t) // it builds a program, three times
	root, folder := made(t, subjectFiles), t.TempDir()
	edits := []Edit{
		edit(t, "2 * a", "3 * a"),
		edit(t, "n++", "n--"),
		edit(t, "append(b.in, more...)", "append(b.in, more[0])"),
		edit(t, "return len(m)", "return -len(m)"),
		edit(t, "n < 2", "n < 3"), // also where the function calls itself
		edit(t, "strings.ToUpper(word)", "word"),
		edit(t, "fmt.Sprint(r)", `"caught"`),
		edit(t, "most = 10", "most = 11"),                          // outside functions
		edit(t, "i*j > n", "i*j > 2*n"),                            // of a function with labels
		edit(t, `return "fine"`, "unused := 1\n\treturn \"fine\""), // the compiler refuses it
		edit(t, "return 1\n", "{}\n"),                              // the compiler refuses it only alone
	}
	alone, err := Build(root, folder, edits, "./subject")
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(alone)); !slices.Equal(got, []int{7, 8, 9}) {
		t.Errorf("alone are %v", alone)
	}
	const plain = "10 2 3 <nil> 1 24 A 3 at the disco"
	for number, want := range []string{
		plain,
		"10 3 3 <nil> 1 24 A 3 at the disco",
		"10 2 1 <nil> 1 24 A 3 at the disco",
		"10 2 2 <nil> 1 24 A 3 at the disco",
		"10 2 3 <nil> -1 24 A 3 at the disco",
		"10 2 3 <nil> 1 12 A 3 at the disco",
		"10 2 3 <nil> 1 24 a 3 at the disco",
		"10 2 3 <nil> 1 24 A 3 caught",
		plain,
		plain,
	} {
		if got := printed(t, folder, "./subject", number); got != want {
			t.Errorf("mutant %d prints %q, want %q", number, got, want)
		}
	}
}

// What the compiler refuses for another reason than an edit is an error, with what it printed. Tier: -short, as the
// go command stops before it compiles anything.
func TestBuildFails(t *testing.T) {
	_, err := Build(made(t, subjectFiles), t.TempDir(), []Edit{edit(t, "n++", "n--")}, "./elsewhere")
	if err == nil || !strings.Contains(err.Error(), "elsewhere") {
		t.Error(err)
	}
}
