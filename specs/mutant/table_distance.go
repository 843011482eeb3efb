package mutant

// sourcesOfDistance are the mutants of long-haul paths, and of what switches do about those that wait: proximal CNP,
// the PFC watchdog and the search for deadlocks.
var sourcesOfDistance = []Source{
	{"a long-haul path delays each way by its own length, to the picosecond, and by another from a switch of path on",
		"wan/path.go",
		"phase.Delay[way.port]", "phase.Delay[0]"},
	{"a long-haul path delays each way by its own length, to the picosecond, and by another from a switch of path on",
		"wan/direction.go",
		"w.phases[1].From <= at", "w.phases[1].From < 0"},
	{"a long-haul path loses as many frames as asked, in bursts as long as asked", "wan/channel.go",
		"loss, change = model.Bad, model.Leave", "loss, change = model.Bad, model.Enter"},
	{"a long-haul path loses as many frames as asked, in bursts as long as asked", "wan/channel.go",
		"if c.chance.Float64() < change {", "if change > 0 {"},
	{"a long-haul path delays by its jitter at most, and lets nothing overtake", "wan/path.go",
		"way.jitter.Between(0, int64(phase.Jitter))", "way.jitter.Between(0, 2*int64(phase.Jitter))"},
	{"a long-haul path loses what is under way in a flap", "wan/path.go",
		"way.flaps.Meets(start, way.free.Add(way.far.Tx.Latency))", "way.flaps.Meets(start, start+1)"},
	{"a long-haul path loses what is under way in a flap", "wan/path.go",
		"fate = fabric.DropLinkDown", "fate = fabric.DropNone"},

	{"an incast to a host whose NIC pauses its class for a millisecond is freed by the watchdog, which drops what " +
		"is for the storm alone", "switchd/watchdog.go",
		"return now.Add(w.profile.Detect)", "return now.Add(w.profile.Detect / 2)"},
	{"an incast to a host whose NIC pauses its class for a millisecond is freed by the watchdog, which drops what " +
		"is for the storm alone", "switchd/watchdog.go",
		"port.pauses.Until(uint8(c)).Add(port.watchdog.profile.Restore)",
		"port.pauses.Until(uint8(c)).Add(2 * port.watchdog.profile.Restore)"},
	{"an incast to a host whose NIC pauses its class for a millisecond is freed by the watchdog, which drops what " +
		"is for the storm alone", "switchd/watchdog.go",
		"Flushed += uint64(q.Len())", "Flushed += uint64(min(q.Len(), 1))"},
	{"an incast to a host whose NIC pauses its class for a millisecond loses nothing where the watchdog lets " +
		"frames pass", "switchd/watchdog.go",
		"if port.watchdog.profile.Drop {", "if port.watchdog.profile.Enabled {"},
	{"an incast to a host whose NIC pauses its class for a millisecond loses nothing where the watchdog lets " +
		"frames pass", "switchd/watchdog.go",
		"if !has(p.storm, qi) || !p.watchdog.profile.Drop {", "if !has(p.storm, qi) {"},

	{"queues that wait for each other are a deadlock in a ring, which is named once, and none in a chain or of two " +
		"classes", "switchd/cycles.go",
		"!begun[c] {", "!begun[c] || c >= 0 {"},
	{"queues that wait for each other are a deadlock in a ring, which is named once, and none in a chain or of two " +
		"classes", "switchd/deadlock.go",
		"QueueRef{far.Switch, far.Port, q.Class}", "QueueRef{far.Switch, far.Port, 3}"},
	{"a ring of five switches that has locked up is a deadlock at the second sample after that, and its queues have " +
		"stood still since the last of them was paused", "emulator/engine/engine.go",
		"looks < QuietLooks && at <= start", "looks < 0 && at <= start"},
	{"a ring of five switches that has locked up is a deadlock at the second sample after that, and its queues have " +
		"stood still since the last of them was paused", "testbed/model/deadlock.go",
		"blocked[sw][i].Since < last", "blocked[sw][i].Since < last.Add(d.period)"},
	{"a ring of five switches that has locked up is a deadlock at the second sample after that, and its queues have " +
		"stood still since the last of them was paused", "switchd/deadlock.go",
		"return max(paused, came)", "return min(paused, came)"},

	{"proximal CNP sends as many CNPs as leave a sender no less than its share, and with one more it had less",
		"switchd/proximal/point.go",
		"1 - float64(p.alpha/2)", "0.5"},
	{"proximal CNP sends as many CNPs as leave a sender no less than its share, and with one more it had less",
		"switchd/proximal/point.go",
		"return prof.Spacing + prof.Spacing/2", "return prof.Spacing"},
	{"proximal CNP gives each flow of a queue its share of the port, and asks no flow that sends less",
		"switchd/proximal/degree.go",
		"float64(reading.Fair()) / float64(rate)", "float64(reading.Fair()) / float64(reading.Rate+0*rate)"},
	{"proximal CNP gives each flow of a queue its share of the port, and asks no flow that sends less",
		"switchd/proximal/degree.go",
		"float64(r.Rate) / float64(r.Live)", "float64(r.Rate)"},
	{"proximal CNP tells a sender of too much the most that it may send, and one of too little its share, as a rate",
		"switchd/proximal/allotment.go",
		"allotted.Most = min(allotted.Most, other.allotted.Most)", ""},
	{"proximal CNP tells a sender of too much the most that it may send, and one of too little its share, as a rate",
		"switchd/proximal/census.go",
		"small += b n--", ""},
	{"proximal CNP has a sender that is told a rate go on from there towards its line", "plugins/dcqcn/rateincnp.go",
		"r.rt = r.line", "r.rt = r.rc"},
	{"proximal CNP pauses a sender so that the arrivals are what drains the queue within the loop",
		"switchd/proximal/degree.go",
		"c + 8*float64(r.Depth-r.Before)", "c + float64(r.Depth-r.Before)"},
	{"proximal CNP says nothing of a flow until the time for which it was asked to be silent is over",
		"switchd/proximal/silence.go",
		"if ok && q.until <= now {", "if ok && q.until < now {"},
	{"proximal CNP says nothing of a flow until the time for which it was asked to be silent is over",
		"switchd/proximal/silence.go",
		"; ok || len(s.of) < maxSilence", "; !ok && len(s.of) < maxSilence"},

	{"the base RTT has the latency of a switch once each way", "emulator/fabric/path.go",
		"from.Latency + to.Pipeline", "from.Latency + 2*to.Pipeline"},
	{"the base RTT is what a lone packet and its ACK take, of any path, to the picosecond", "emulator/fabric/path.go",
		"needed = Header(bytes, accounting)", "needed = bytes"},
	{"a fabric that cuts through has one trace whatever the windows, the workers and the codec, and conserves every " +
		"byte without a latency", "switchd/timer.go",
		"s.enqueueOrFlush(&d, s.enqueue)", "if d.ingress%2 == 0 { s.enqueueOrFlush(&d, s.enqueue) }"},
	{"a fabric that cuts through has one trace whatever the windows, the workers and the codec, and conserves every " +
		"byte with one", "switchd/timer.go",
		"s.enqueueOrFlush(&d, s.enqueue)", "if d.ingress%2 == 0 { s.enqueueOrFlush(&d, s.enqueue) }"},
	{"the goodput of a flow is over all the time until its stop or the end of the run, though nothing comes any more " +
		"stopped", "emulator/result/ranflow.go",
		"until = min(until, stop)", "until = max(until, stop)"},
	{"the goodput of a flow is over all the time until its stop or the end of the run, though nothing comes any more " +
		"incomplete", "emulator/result/ranflow.go",
		"until = r.end()", "until = r.end() / 2"},

	{"an incast whose receiver's link goes down while its senders are paused frees the memory of what waited there, so " +
		"that the senders go on at once with what is for others", "switchd/port.go",
		"s.releaseMemory(port, entry) if s.observer != nil { s.observer.dequeued(port, queue, *entry) } in :=",
		"if reason != fabric.DropPortDown { s.releaseMemory(port, entry) }\n" +
			"if s.observer != nil { s.observer.dequeued(port, queue, *entry) }\nin :="},
	{"an incast whose receiver's link goes down while its senders are paused frees the memory of what waited there, so " +
		"that the senders go on at once with what is for others", "switchd/fault.go",
		"if has(port.busy, uint8(qi)) {", "if has(port.busy, uint8(qi)) && port.busy == 0 {"},
	{"a link of a host that is down for 50 ms harms the flow on it and nothing else: its frames are dropped, no switch " +
		"is paused, the timers run at the sender", "nicd/port.go",
		"port.ready.head == nil {", "port.ready.head == nil || port.down {"},
	{"a train of outages has a time without packets for each of them", "nicd/gap.go",
		"length > list[i].Length {", "length > list[0].Length {"},

	{"a link whose signal is lost in one direction is not known at the other end without a remote fault, which sends " +
		"into the void", "emulator/fabric/fabric.go",
		"return o.OneWay.Silent && o.OneWay.Dark == AToB", "return false"},
	{"a link whose signal is lost in one direction stops at the other end a flight later, by remote fault",
		"emulator/fabric/fabric.go",
		"o.From, o.To = o.From.Add(latency), o.To.Add(latency)", "o.From, o.To = o.From.Add(3*latency), o.To.Add(latency)"},
	{"a switch that reboots drops what it holds for that reason, and the flows go on when it is up", "switchd/reboot.go",
		"clearQueue(s, &s.ports[i], qi, fabric.DropReboot)", "_ = qi"},
	{"a switch or a link that is drained loses no frame, whether it is switched off after that or not a link that goes " +
		"off and comes back", "emulator/scenario/fault_drain.go",
		"fabric.Outage{From: f.from, To: f.up}) } if", "fabric.Outage{From: f.down, To: f.up})\n}\nif"},
}
