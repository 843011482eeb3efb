package registry_test

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
)

// A name is looked up; a wrong one is answered with the one that was meant.
func Example() {
	algorithms := registry.New(registry.Config{Builtin: shipped.All()})
	defer algorithms.Close()
	swift, err := algorithms.Lookup("swift")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(swift.Describe().Summary)
	_, err = algorithms.Lookup("swit")
	fmt.Println(err)
	// Output:
	// windows that hold fabric and endpoint delay at a target, which grows with hops and flows
	// there is no algorithm "swit": did you mean swift?
}
