// Command rocelab runs experiments on the congestion control of AI fabrics:
// switch and NIC models that exchange real RoCEv2 frames.
package main
