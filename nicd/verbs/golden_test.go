package verbs

// What TestConversation sees, with PSNs from the first on: written from the rules that a READ takes a PSN for each
// response, that MSN counts completed messages, READs among them, and that an ACK names the newest PSN.
const (
	conversation = `RC RDMA WRITE First 0
RC RDMA WRITE Middle 1
RC RDMA WRITE Last 2
RC RDMA WRITE Only with Immediate 3
RC SEND First 4
RC SEND Middle 5
RC SEND Last with Immediate 6
RC RDMA READ Request 7
RC RDMA READ Request 9
RC SEND Only 10
RC RDMA WRITE First 11
RC RDMA WRITE Last with Immediate 12
RC RDMA READ Request 13`
	answers = `0x1f 2 msn 1
0x1f 3 msn 2
0x1f 6 msn 3
RC RDMA READ response First 7 msn 4
RC RDMA READ response Last 8 msn 4
RC RDMA READ response Only 9 msn 5
0x1f 10 msn 6
0x1f 11 msn 6
0x1f 12 msn 7
RC RDMA READ response First 13 msn 8
RC RDMA READ response Middle 14
RC RDMA READ response Last 15 msn 8`
)
