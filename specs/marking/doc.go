// Package marking shows, packet by packet, that a switch marks by its WRED profile. From a capture of all its ports
// each departing frame gets the length of the queue that it left behind, and the length that it met on arrival; its ECN
// field shows whether it was marked. The switch's own counters play no part.
//
// The load is open: two senders without congestion control, but ECN-capable,
// together slightly above the bottleneck's rate, so that the queue climbs
// slowly through all lengths from 0 to beyond Kmax, and drains.
//
// Sources: Zhu et al., SIGCOMM 2015 (DCQCN), section 3.1 (marking curve);
// thresholds of the public RDMA simulator (alibaba-edu HPCC ns-3: 400 KB,
// 1600 KB, 0.2 at 100 Gb/s, scaled with the port's rate; it marks at dequeue),
// of NVIDIA Spectrum (150 KB, 1500 KB, 1), and of SONiC's example (184 320 B,
// a step).
package marking
