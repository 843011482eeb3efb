package main

// windows is the worked example of docs/architecture.md: a packet and its ACK on
// a link of 1 us between two nodes, in model time and by the wall's clock.
func windows() *drawing {
	d := &drawing{
		width:  880,
		height: 470,
		title:  "Windows of model time",
		words: "Two NICs, h0 and h1, on a link of 1 us and 100 Gb/s. Window 1 is from 0.5 us to 1.50672 us: h0 sends a " +
			"packet, which arrives at 1.58784 us. Window 2 begins there and ends at 2.59456 us: h1 sends its ACK, which " +
			"arrives at 2.59472 us, in window 3. By the wall's clock window 2 takes long, for the machine of h1 is slow; " +
			"h0 waits at the end of the window, and no time in the model changes.",
	}
	const (
		begin = 128.0
		scale = 320.0 // pixels for a microsecond
		h0    = 122.0
		h1    = 212.0
	)
	at := func(us float64) float64 { return begin + (us-.5)*scale }
	const sent, window1, packet, window2, answered = .5, 1.50672, 1.58784, 2.59456, 2.59472

	d.heading(24, 36, "start", "In model time")
	d.note(856, 36, "end",
		"a link of 1 us, 100 Gb/s; the shortest frame takes 6.72 ns, so a window may be 1.00672 us long")
	d.window(place{x: at(sent), y: 56, w: at(window1) - at(sent), h: 186}, "window 1")
	d.window(place{x: at(packet), y: 56, w: at(window2) - at(packet), h: 186}, "window 2")
	d.window(place{x: at(answered) + 1, y: 56, w: 857 - at(answered), h: 186}, "3")
	d.heading(104, h0+5, "end", "NIC h0")
	d.heading(104, h1+5, "end", "NIC h1")
	d.line(grey, false, point{begin - 12, h0}, point{857, h0})
	d.line(grey, false, point{begin - 12, h1}, point{857, h1})
	d.arrow(blue, point{at(sent), h0}, point{at(packet), h1})
	d.arrow(orange, point{at(packet), h1}, point{at(answered), h0})
	d.note(at(.99), h0+23, "start", "packet: 87.84 ns + 1 us")
	d.note(at(1.7), h0+23, "start", "ACK: 6.88 ns + 1 us")

	d.note(at(sent), 264, "middle", "0.5 us")
	d.note(at(window1)-8, 264, "end", "1.50672 us")
	d.note(at(packet)+8, 264, "start", "1.58784 us")
	d.note(at(window2)-8, 264, "end", "2.59456 us")
	d.note(at(answered)+2, 264, "start", "+160 ps")

	d.line(grey, true, point{24, 288}, point{856, 288})
	d.heading(24, 320, "start", "By the clock on the wall")
	d.note(856, 320, "end", "the machine of h1 is slow: h0 waits, and nothing above changes")
	const fast, slow = 70.0, 480.0
	d.heading(104, 365, "end", "h0")
	d.heading(104, 417, "end", "h1")
	d.bar(blue, place{x: begin, y: 344, w: fast, h: 30}, "works")
	d.bar(orange, place{x: begin + fast, y: 396, w: slow, h: 30}, "works, slowly")
	d.bar(blue, place{x: begin + fast + slow, y: 344, w: fast, h: 30}, "works")
	d.note(begin+fast+slow/2, 364, "middle", "waits for the end of window 2")
	for i, x := range []float64{begin, begin + fast, begin + fast + slow, begin + 2*fast + slow} {
		d.line(grey, true, point{x, 336}, point{x, 438})
		if name := []string{"window 1", "window 2", "window 3"}; i < 3 {
			next := []float64{fast, slow, fast}
			d.note(x+next[i]/2, 454, "middle", name[i])
		}
	}
	return d
}

// window is a span of model time with its name.
func (d *drawing) window(p place, name string) {
	d.rectangle("box", sky, p)
	d.note(p.x+p.w/2, p.y+20, "middle", name)
}

// bar is a span of work.
func (d *drawing) bar(c colour, p place, name string) {
	d.rectangle("box", c, p)
	d.note(p.x+p.w/2, middle(p)+5, "middle", name)
}
