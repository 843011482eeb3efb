package offload

// captured are frames of a Linux 6.18 host, taken at the other end of its veth: with its
// offloads on, and with `ethtool -K eth0 tx off`. Of the TCP ones, which begin with numbers of
// chance, the second was captured; the first has the sum that the host left in the field of
// one to the same address.
var captured = []struct {
	name       string
	header     Header
	left, want string
}{
	{"UDP over IPv4", Header{Flags: 1, Start: 34, Offset: 6},
		ethernet4 + "450000257b0340004011abb00a0900010a090002 0fa0138900111437 6f66206120686f7374",
		ethernet4 + "450000257b0340004011abb00a0900010a090002 0fa01389001134eb 6f66206120686f7374"},
	{"TCP over IPv4", Header{Flags: 1, Start: 34, Offset: 16},
		ethernet4 + "4500003c1ab7400040060bf10a0900010a090002 92e413894dd28d9e00000000a002faf0 1443 " + options4,
		ethernet4 + "4500003c1ab7400040060bf10a0900010a090002 92e413894dd28d9e00000000a002faf0 8036 " + options4},
	{"TCP over IPv6", Header{Flags: 1, Start: 54, Offset: 16},
		ethernet6 + network6 + "b0a81389de7d00ec00000000a002fd20 fa44 " + options6,
		ethernet6 + network6 + "b0a81389de7d00ec00000000a002fd20 e418 " + options6},
	{"TCP over IPv6 in a VLAN", Header{Flags: 1, Start: 54, Offset: 16}.Tagged(),
		macs + "81002005 86dd" + network6 + "b0a81389de7d00ec00000000a002fd20 fa44 " + options6,
		macs + "81002005 86dd" + network6 + "b0a81389de7d00ec00000000a002fd20 e418 " + options6},
	// Not captured: made by hand, its CRC by another program.
	{"SCTP", Header{Flags: 1, Start: 34, Offset: 8},
		ethernet4 + "45000020000040004084264b0a0900010a090002 0fa0138900000001 00000000",
		ethernet4 + "45000020000040004084264b0a0900010a090002 0fa0138900000001 5e50bc68"},
}

const (
	macs      = "020000000002 020000000001"
	ethernet4 = macs + "0800"
	ethernet6 = macs + "86dd"
	network6  = "600c290c00280640 fd090000000000000000000000000001 fd090000000000000000000000000002"
	options4  = "0000020405b40402080a5c6ada78000000000103030a"
	options6  = "0000020405a00402080a0505c420000000000103030a"
)
