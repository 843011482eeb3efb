// Package layers makes every gopacket program read RoCEv2 and PFC frames, and
// the notifications of switches: importing it registers the headers as layers
// of UDP ports 4791 and 49911 and of EtherType 0x8808. rocelab.lua beside it has
// Wireshark and tshark read the notifications, with -X lua_script:rocelab.lua.
//
// Model. gopacket.NewPacket shows BTH, the extended transport headers of its
// opcode, the algorithm extension, the payload and the ICRC trailer (pad and
// ICRC) each as a layer. Which headers follow is known from the BTH alone, so
// the decoder of the BTH adds all of them. A DecodingLayerParser, which
// decodes header by header, gets layers that share this knowledge from
// NewStack.
//
// Every layer also serialises. Serialisation runs from the last layer to the
// first, but the ICRC covers the headers before it, so an ICRC is put right in
// the finished bytes by FixICRC.
//
// This is a second implementation of RoCEv2 and PFC, written independently of the codec of package wire and compared
// with it in tests; a Notification is read by package notification. It is for analysis and tests: it allocates a struct
// for each layer.
//
// Contract. Malformed headers give an error layer and no panic. Unlike
// wire.Decode, the layers verify no checksum; an opcode or extension type that
// the codec does not know leaves what follows as payload.
//
// Limits. Registration is global to the program (gopacket keeps one table), in
// the range 1791 to 1802; another library in that range makes gopacket panic
// at start.
package layers
