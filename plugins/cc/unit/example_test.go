package unit_test

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A full-size frame of 1082 bytes on the wire, at 400 Gb/s, to the picosecond.
func ExampleBitRate_SerialTime() {
	rate, err := unit.ParseBitRate("400Gbps")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rate.SerialTime(1082))
	fmt.Println(rate.BytesIn(10 * unit.Microsecond))
	// Output:
	// 21.64ns
	// 500KB
}
