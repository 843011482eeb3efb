// Command dying stands for a daemon that cannot start.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "no luck today")
	os.Exit(7)
}
