// Package spelling finds the word that was probably meant by an unknown one.
package spelling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Hint asks whether the nearest word of a list was meant; if none is near it returns otherwise.
func Hint(word string, list []string, otherwise string) string {
	if near := Nearest(word, list); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return otherwise
}

// most bounds the words that are compared.
const most = 64

// Nearest returns the word of a list that is nearest to a word, the first of
// several, whether in capitals or not: one that differs in a third of the letters
// at most, in two of five between the same ends, else the only one that begins so. It is "" if none is near, or the
// word is shorter than three letters or longer than 64.
func Nearest(word string, list []string) string {
	if len(word) < 3 || len(word) > most {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", max(1, len(word)/3)+1
	var begun []string
	for _, other := range list {
		small := strings.ToLower(other)
		d := distance(word, small)
		if d < least || best == "" && d == 2 && len(word) == 5 && len(small) == 5 && sameEnds(word, small) {
			best, least = other, d
		}
		if strings.HasPrefix(small, word) {
			begun = append(begun, other)
		}
	}
	if best == "" && len(begun) == 1 {
		return begun[0]
	}
	return best
}

// sameEnds reports whether two words begin with one letter, and end with one.
func sameEnds(a, b string) bool { return a[0] == b[0] && a[len(a)-1] == b[len(b)-1] }

// ByNearness returns the words of a list, the most similar to a word first: words that contain it or are part of it,
// then by the number of letters that differ.
func ByNearness(word string, list []string) []string {
	if len(word) > most {
		return list
	}
	word = strings.ToLower(word)
	far := func(other string) int {
		small := strings.ToLower(other)
		if strings.Contains(small, word) || strings.Contains(word, small) {
			return 0
		}
		return distance(word, small)
	}
	return slices.SortedStableFunc(slices.Values(list), func(a, b string) int { return cmp.Compare(far(a), far(b)) })
}

// distance returns the number of letters to add, remove, change or swap with their neighbour to make one word of
// another, none of them twice (optimal string alignment).
func distance(from, to string) int {
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(from); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(to); j++ {
			changed := last[j-1]
			if from[i-1] != to[j-1] {
				changed++
			}
			row[j] = min(last[j]+1, row[j-1]+1, changed)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(to)]
}
