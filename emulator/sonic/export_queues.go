package sonic

import (
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/profile"
)

// inOrder calls write with each port and queue or class: first those with a name that is kept, and of them those
// without settings of their own, so that what most ports have takes the name.
func (e *exporter) inOrder(table string, write func(p *exportedPort, index int)) {
	if table == "BUFFER_PROFILE" {
		for _, p := range e.ports {
			for class := range profile.Classes {
				if name, _ := e.names.find(table, p.host, class); name != "" && e.names[fittingKey(name)] == p.host {
					write(p, class)
				}
			}
		}
	}
	for turn := range 4 {
		for _, p := range e.ports {
			for index := range profile.Classes {
				name, _ := e.names.find(table, p.host, index)
				own := p.settings != e.switched
				if (name == "") == (turn >= 2) && own == (turn%2 == 1) {
					write(p, index)
				}
			}
		}
	}
}

// queues writes the schedulers and, for the class of each queue, what marks it. A queue that had no scheduler, and has
// the weight that it has without, gets none.
func (e *exporter) queues() {
	e.inOrder("SCHEDULER", func(p *exportedPort, q int) {
		name, kept := e.names.find("SCHEDULER", p.host, q)
		if kept && name == "" && !p.settings.Strict[q] && p.settings.Weight[q] == 1 {
			return
		}
		e.schedule(p, q)
	})
	e.inOrder("WRED_PROFILE", func(p *exportedPort, q int) {
		if class := p.marked(q); class >= 0 {
			e.config.set("QUEUE", p.name+"|"+strconv.Itoa(q), "wred_profile", e.marking(p, q, class))
		}
	})
}

// schedule writes the scheduler of a queue of a port.
func (e *exporter) schedule(p *exportedPort, q int) {
	name := e.names.of("SCHEDULER", p.host, q, schedulerName(q))
	weight := p.settings.Weight[q]
	fields := map[string]string{"type": "DWRR", "weight": strconv.Itoa(min(weight, 100))}
	if p.settings.Strict[q] {
		fields = map[string]string{"type": "STRICT"}
	} else if weight > 100 {
		e.approximated(pointer("SCHEDULER", name, "weight"), strconv.Itoa(weight), "100",
			"SONiC has weights up to 100")
	}
	name = e.entry("SCHEDULER", name, p, fields)
	e.config.set("QUEUE", p.name+"|"+strconv.Itoa(q), "scheduler", name)
}

// marked returns a class that is sent from a queue and marked there; -1 for none.
func (p *exportedPort) marked(q int) int {
	for class := range profile.Classes {
		if int(p.settings.QueueOf[class]) == q && p.settings.ECN[class].Enabled {
			return class
		}
	}
	return -1
}

// marking writes the WRED profile of a queue of a port, and returns its name.
func (e *exporter) marking(p *exportedPort, q, class int) string {
	of := &p.settings.ECN[class]
	kmin, kmax := of.At(p.rate())
	one := writer{config: Config{}}
	one.wred("", true, kmin, kmax, of.Pmax)
	name := e.names.of("WRED_PROFILE", p.host, q, wredNameOf(e.lossless(class)))
	before := len(e.config["WRED_PROFILE"])
	name = e.entry("WRED_PROFILE", name, p, one.config["WRED_PROFILE"][""])
	if len(e.config["WRED_PROFILE"]) > before {
		e.renamed(&one, "WRED_PROFILE", name)
	}
	return name
}

// renamed takes over the lines of an entry that was written without a name.
func (e *exporter) renamed(one *writer, table, name string) {
	for _, line := range one.lines {
		line.Path = strings.Replace(line.Path, pointer(table, ""), pointer(table, name), 1)
		e.lines = append(e.lines, line)
	}
}
