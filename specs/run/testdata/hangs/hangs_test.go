// Package hangs is what the tests of run run: it prints much, and does not end.
package hangs

import (
	"fmt"
	"testing"
)

func TestEnds(t *testing.T) { fmt.Println("a test that ended") }

func TestHangs(t *testing.T) {
	for i := range 300 {
		fmt.Println("line", i)
	}
	select {}
}
