package main

import "fmt"

// slice is a stretch of a bar: its length in parts of the whole, and its words.
type slice struct {
	colour colour
	length float64
	name   string
	text   string
}

// barOf draws slices side by side in a place; a grey one is dashed.
func (d *drawing) barOf(p place, whole float64, slices ...slice) {
	x := p.x
	for _, s := range slices {
		at := place{x, p.y, p.w * s.length / whole, p.h}
		if s.colour == grey {
			d.frame(grey, at)
		} else {
			d.rectangle("box", s.colour, at)
		}
		middle, y := at.x+at.w/2, at.y+at.h/2
		d.text(middle, y-4, s.name, "600", textSize, "", "middle")
		d.fits(s.name, .63*textSize, at.w-4)
		d.text(middle, y+15, s.text, "400", textSize, "soft", "middle")
		d.fits(s.text, .52*textSize, at.w-4)
		x += at.w
	}
}

// whyTime is the time of a flow: the states of its NIC, which are exact, and the parts by cause below them.
func whyTime() *drawing {
	d := &drawing{
		width:  860,
		height: 290,
		title:  "The time of one flow, by state and by cause",
		words: "An example of 12 ms. Above are the states that the NIC's clocks have: sending 1.2 ms, paced 4, " +
			"window closed 2.3, port busy 2, pause 1, in flight 1.5. Below are the parts: alone 1.4 ms, shared " +
			"3.2, unfair 1.3, held back 2.2, collision 1.6, paused 1, queued 1.3. Sending, pause and in flight " +
			"are alone, paused and queued. The three states in the middle show what held the packets, not why: " +
			"they are divided bin by bin.",
	}
	const whole = 12.0
	ms := func(c colour, length float64, name string) slice {
		return slice{c, length, name, fmt.Sprintf("%g ms", length)}
	}
	top, low := place{20, 44, 820, 50}, place{20, 190, 820, 50}
	d.heading(20, 30, "start", "Exact: the state of the flow in its NIC")
	d.barOf(top, whole, ms(green, 1.2, "sending"), ms(orange, 4, "paced"), ms(orange, 2.3, "window closed"),
		ms(sky, 2, "port busy"), ms(purple, 1, "pause"), ms(blue, 1.5, "in flight"))
	at := func(p place, length float64, below float64) point { return point{p.x + p.w*length/whole, p.y + below} }
	for _, join := range [][2]float64{{1.2, 1.4}, {9.5, 9.7}, {10.5, 10.7}} {
		d.line(grey, true, at(top, join[0], top.h), at(low, join[1], 0))
	}
	d.note(390, 148, "middle", "divided bin by bin, by the state of the ports on the path")
	d.heading(20, 178, "start", "By cause")
	d.barOf(low, whole, ms(green, 1.4, "alone"), ms(sky, 3.2, "shared"), ms(vermillion, 1.3, "unfair"),
		ms(orange, 2.2, "held back"), ms(purple, 1.6, "collision"), ms(purple, 1, "paused"), ms(blue, 1.3, "queued"))
	d.note(20, 270, "start", "Both add up to the time of the flow, to the picosecond.")
	return d
}

// whyBin is a bin of time at the bottleneck of a flow, in the order of its division.
func whyBin() *drawing {
	d := &drawing{
		width:  860,
		height: 310,
		title:  "How a bin is divided",
		words: "One bin at the bottleneck. From left to right, in their order: own bits are alone; " +
			"idle time is held back; time held by PFC is paused; the flow's own queue is alone; time busy with others is " +
			"contention; the rest is unresolved. Of the contention, as much as another member of the ECMP group was idle is " +
			"collision; the rest is shared up to the cost of the fair share, and unfair beyond.",
	}
	bin, contention := place{20, 60, 820, 56}, place{250, 196, 500, 56}
	d.heading(20, 30, "start", "One bin at the bottleneck: the state of the port, and the part that it becomes")
	d.barOf(bin, 82, slice{green, 11, "own bits", "alone"}, slice{orange, 17, "idle", "held back"},
		slice{purple, 11, "PFC", "paused"}, slice{green, 11, "own queue", "alone"},
		slice{sky, 23, "others", "contention"}, slice{grey, 9, "the rest", "unresolved"})
	others := place{20 + 500, 60, 230, 56}
	d.line(grey, true, point{others.x, others.y + others.h}, point{contention.x, contention.y})
	d.line(grey, true, point{others.x + others.w, others.y + others.h}, point{contention.x + contention.w, contention.y})
	d.note(240, 228, "end", "Contention, in turn:")
	d.barOf(contention, 50, slice{purple, 16, "collision", "an equal path is idle"},
		slice{sky, 18, "shared", "cost of the fair share"}, slice{vermillion, 16, "unfair", "all beyond it"})
	d.note(20, 290, "start", "Each step takes at most the rest of the steps before it.")
	return d
}
