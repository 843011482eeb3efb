// Package recovery shows what losses cost and that every flow survives them:
// go-back-N against its formula, the receiver that keeps packets out of order,
// the loss of a very last packet, PSNs that wrap, a link that goes away and
// comes back.
//
// Go-back-N sends a window of W packets again for each loss, so that of a link's
// rate a share of
//
//	1 / (1 + p W)
//
// is left at a loss probability p, where W packets are in flight: 48 of 1000 B
// at 100 Gb/s and 4.19 us. The formula counts one window for each loss; it
// leaves out that the lost packet of a repeated window, or the NAK itself, may
// be lost too.
//
// Sources: InfiniBand Architecture Specification, volume 1, sections 9.7.5 and
// 9.7.6 (PSN sequence errors, timeouts); an LSTM and PID neural-network thesis,
// section 2.1.3 and Figure 3 (throughput of RDMA against loss).
package recovery
