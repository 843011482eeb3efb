// Package thesis holds the incast of the LSTM+PIDNN thesis: twenty senders into
// one port, three flows of 200, 200 and 150 MB and seventeen of 5 MB, section
// 4.3. What is printed there was measured in the public RDMA simulator (alibaba-
// edu HPCC ns-3), so runs here count the wire as that does (accounting bare48)
// and take its settings: a row that agrees says that two implementations of one
// algorithm agree.
//
// Beside it stand the random flows on 320 hosts of section 4.4.2: how many come,
// and, on a fifth of the hosts, the order of Figure 20.
//
// RTTs are of all packets where a row of another's algorithm is compared, since
// that is what agrees with print, and sampled once a round trip where the thesis
// speaks of its own.
package thesis
