package main

import "strconv"

// frame is the way of a packet through a switch and of its answer back. The numbers follow the list in
// docs/architecture.md.
func frame() *drawing {
	d := &drawing{
		width:  880,
		height: 400,
		title:  "The way of a frame",
		words: "A queue pair of the sending NIC has a packet due and hands it to the port. The switch takes it from the " +
			"link, admits it to the buffer or sends XOFF, and its scheduler picks it at the egress, where it may be marked. " +
			"The receiving NIC keeps the order and answers with ACK, NAK or CNP. The answer becomes an event of the " +
			"sender's algorithm, whose decision sets the rate, the window or the gap of the queue pair.",
	}
	const (
		rowA, rowB, rowC = 58.0, 144.0, 230.0
		height, width    = 62.0, 188.0
		sender, network  = 50.0, 346.0
		receiver         = 642.0
	)
	cell := func(x, y float64) place { return place{x: x, y: y, w: width, h: height} }
	d.room(sender, "sending NIC")
	d.room(network, "switch")
	d.room(receiver, "receiving NIC")

	algorithm, pair, port := cell(sender, rowA), cell(sender, rowB), cell(sender, rowC)
	d.box(purple, algorithm, "algorithm", "event in, decision out")
	d.box(blue, pair, "queue pair", "rate, window, gap")
	d.box(blue, port, "port", "a frame at a time")
	d.arrow(purple, bottom(algorithm), top(pair))
	d.arrow(grey, bottom(pair), top(port))

	ingress, buffer, egress := cell(network, rowC), cell(network, rowB), cell(network, rowA)
	d.box(green, ingress, "ingress", "next hop, class")
	d.box(green, buffer, "buffer", "admitted, or dropped")
	d.box(green, egress, "egress", "scheduler, WRED mark")
	d.arrow(grey, top(ingress), bottom(buffer))
	d.arrow(grey, top(buffer), bottom(egress))
	d.arrow(grey, point{port.x + width, middle(port) - 12}, point{ingress.x, middle(port) - 12})
	d.arrow(vermillion, point{ingress.x, middle(port) + 14}, point{port.x + width, middle(port) + 14})
	d.note((port.x+width+ingress.x)/2, middle(port)+5, "middle", "PFC")

	order, answer := cell(receiver, rowA), cell(receiver, rowB)
	d.box(orange, order, "order", "next in sequence?")
	d.box(orange, answer, "answer", "ACK, NAK; CNP if marked")
	d.arrow(grey, right(egress), left(order))
	d.arrow(grey, bottom(order), top(answer))
	d.line(orange, false, bottom(answer), point{receiver + width/2, 352}, point{20, 352}, point{20, middle(algorithm)})
	d.arrow(orange, point{20, middle(algorithm)}, left(algorithm))
	d.note((sender+receiver+width)/2, 376, "middle",
		"the answer crosses the switches like any frame, and becomes an event")

	for i, p := range []place{pair, port, ingress, egress, answer, algorithm} {
		d.number(i+1, p)
	}
	return d
}

// room draws a frame of three boxes with its name.
func (d *drawing) room(x float64, name string) {
	p := place{x: x - 16, y: 16, w: 220, h: 292}
	d.frame(grey, p)
	d.heading(p.x+p.w/2, 40, "middle", name)
}

// number puts a number into the corner of a box.
func (d *drawing) number(n int, p place) {
	d.text(p.x+9, p.y+18, strconv.Itoa(n), "600", textSize, "", "start")
}
