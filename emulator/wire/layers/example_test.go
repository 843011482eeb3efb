package layers_test

import (
	"fmt"
	"os"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/pcapgo"

	roce "github.com/rocelab/rocelab/emulator/wire/layers"
)

// Any gopacket program reads RoCEv2 once this package is imported: here the
// first frame of a capture between two hosts with Linux soft-RoCE.
func Example() {
	file, err := os.Open("../testdata/rxe.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	capture, err := pcapgo.NewReader(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	packet, err := gopacket.NewPacketSource(capture, capture.LinkType()).NextPacket()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(names(packet))
	bth := packet.Layer(roce.LayerTypeBTH).(*roce.BTH)
	fmt.Printf("%v to QP %d, PSN %d\n", bth.Opcode, bth.DestQP, bth.PSN)
	// Output:
	// Ethernet IPv4 UDP BTH ICRC
	// RC SEND Only to QP 17, PSN 256
}
