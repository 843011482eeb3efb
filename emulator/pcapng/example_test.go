package pcapng_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A file of one packet, written and read again.
func Example() {
	var file bytes.Buffer
	writer, err := pcapng.NewWriter(&file, []pcapng.Interface{{Name: "s0.0", Rate: 100 * unit.Gbps}})
	if err != nil {
		log.Fatal(err)
	}
	frame := make([]byte, 64)
	if err := writer.WritePacket(0, unit.Time(3*unit.Microsecond), pcapng.Outbound, frame, "CE"); err != nil {
		log.Fatal(err)
	}
	if err := writer.Flush(); err != nil {
		log.Fatal(err)
	}
	reader, err := pcapng.NewReader(&file)
	if err != nil {
		log.Fatal(err)
	}
	packet, err := reader.Next()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(packet.Interface, packet.At, len(packet.Frame), packet.Direction == pcapng.Outbound)
	// Output:
	// s0.0 3us 64 true
}
