package elementary_test

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/elementary"
)

// The same bits on every processor, which package math does not promise.
func ExampleExp() {
	fmt.Printf("%x\n", elementary.Exp(1))
	// Output:
	// 0x1.5bf0a8b145769p+01
}
