package unit

import "fmt"

// Count is a number of things in words: of "run" it is "1 run" and "2 runs". What has another plural has CountOf.
func Count[T ~int | ~int64 | ~uint64](n T, what string) string { return CountOf(n, what, what+"s") }

// CountOf is a number of things, or of what happened to them, in words: "1 frame was", "2 frames were".
func CountOf[T ~int | ~int64 | ~uint64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
