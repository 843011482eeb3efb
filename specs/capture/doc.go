// Package capture shows that rocelab's captures are RoCEv2 to other tools: every frame of a run is decoded by gopacket
// and by tshark without a complaint, with a right ICRC, and the frames in the file equal the counters.
//
// Sources: InfiniBand Architecture Specification, volume 1, annex A17 (RoCEv2);
// IEEE 802.3 annex 31D (PFC); PCAP Next Generation Capture File Format.
//
// Limits. tshark shows the ICRC of RoCEv2 and does not verify it (4.0); it is computed here, over the bytes in the
// file. tshark takes some short payloads for RPC over RDMA, which --disable-heuristic rpcrdma_infiniband prevents, and
// now and then a payload of one or two bytes, padded with zeros, for an Ethernet type, for which it has no switch;
// there are none of those here.
package capture
