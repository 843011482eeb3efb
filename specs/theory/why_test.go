package theory

// misses are the rows that do not fit, by name, with the cause. Such a row is red if it fits one day.
var misses = map[string]string{
	"of 8 DCQCN flows is the fluid model's queue":  fluidCause,
	"of 16 DCQCN flows is the fluid model's queue": fluidCause,

	"of 2 DCQCN flows is the fluid model's marking probability":  fluidCause,
	"of 8 DCQCN flows is the fluid model's marking probability":  fluidCause,
	"of 16 DCQCN flows is the fluid model's marking probability": fluidCause,

	"of one DCQCN sender under the constant marks of 2 is the fluid model's rate":  fluidCause,
	"of one DCQCN sender under the constant marks of 8 is the fluid model's rate":  fluidCause,
	"of one DCQCN sender under the constant marks of 16 is the fluid model's rate": fluidCause,

	"of 2 DCTCP flows has the sawtooth's share of marks":  dequeueCause,
	"of 10 DCTCP flows has the sawtooth's share of marks": dequeueCause,
	"of 10 DCTCP flows has its top at K + N":              dequeueCause,

	"of 16 HPCC flows is eta and the steps of all": "U counts the queue, too, and sixteen windows of three packets " +
		"seldom leave it empty: the port is idle for what U has of queue. See the row of U itself",
	"of two flows of DCTCP as shipped reaches K": "the window of one BDP a flow, `window: scaled`, binds first: the " +
		"queue stands still below K, nothing is marked, and this is no DCTCP. See the next row, and docs/limits.md",
	"of 37 senders of NVIDIA's DCQCN is below Kmax in its first 15 ms": "R_T begins at line rate, and the switch holds " +
		"all that its threshold allows, 25 MB, until R_T came down",
	"of 37 senders of NVIDIA's DCQCN comes after log2 N drained queues": "a cut takes R_T to an R_C that has climbed " +
		"back part of its way, so that R_T falls by less than half: 100, 50, 37.5, 18.8, 16, 14.2",
	"keeps 24 senders at the dynamic threshold": "the threshold is where XOFF is sent; what still comes stands in the " +
		"headroom, 25 KB an ingress, and XON is sent 3 KB below the threshold. The next row counts both",
	"of HPCC over two links is max-min": "a window of W_AI / (1 - eta/U) has 0.3 % of U between all and nothing, and " +
		"the long flow takes the larger of two U that swing; its share grows with w_ai: 0.257, 0.261, 0.276, 0.317 with " +
		"20, 80, 400 and 1000 B",
	"of Swift over two links is what flow scaling leaves": "`max_cwnd_bdp: 1.5` binds first: the short flows stay at " +
		"1.5 base RTTs, 0.3 us below their target, and the queue is shorter. See the next row",
}

const (
	fluidCause = "in the model any mark restarts the timers; a receiver is silent for 50 us after each CNP, so that " +
		"timers and alpha run on, and a sender gets 24 to 30 % more at the same p. Counted from CNP to CNP it fits: " +
		"see the rows of renewal"
	dequeueCause = "marked at dequeue, as switches do, a frame tells of the queue behind it: the sender hears a " +
		"queueing time earlier than in the analysis, and the sawtooth is smaller. See the rows of enqueue"
)

// reason is the cause of a row's miss, or of the error of one that fits.
func (r *row) reason() string {
	if why := misses[r.name]; why != "" {
		return why
	}
	return r.why
}
