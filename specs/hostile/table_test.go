package hostile

// row is one way to misbehave and what must come of it.
type row struct {
	// way is CALL-DEED.
	way string
	// code is the exit code, says the required text on stderr.
	code int
	says []string
	// on is the only runner, "" for both.
	on string
	// flags are further ones; impatient runs on veth give up soon when nothing moves,
	// which must not come before the plugin's own deadline.
	flags     []string
	impatient bool
	// everyday rows run each day.
	everyday bool
}

const (
	plugin = 5 // the exit code of a plugin's fault
	sound  = 0 // and of a run that a hostile plugin could not disturb
)

// says is a list of words.
func says(words ...string) []string { return words }

// flow and its friends are the names of places in messages.
const (
	aFlow     = " of flow incast/"
	noPlugin  = "is not a plugin"
	cheese    = "out of cheese"
	inSetUp   = "the set-up of the "
	late      = "no answer to "
	who       = "the question who it is"
	setting   = "its configuration"
	nonsense  = "its answers are nonsense"
	handshake = "(--plugin-start)"
)

var quickStart = []string{"--plugin-start", "3s"}

// inGo are the ways of the program in Go.
var inGo = []row{
	{way: "start-panic", code: plugin, says: says(noPlugin, cheese)},
	{way: "start-exit", code: plugin, says: says(noPlugin, "I am off")},
	{way: "start-leave", code: plugin, says: says(noPlugin, "without a handshake")},
	{way: "start-hang", code: plugin, says: says(noPlugin, "within 3s", handshake), flags: quickStart},
	{way: "start-loop", code: plugin, says: says(noPlugin, "within 3s", handshake), flags: quickStart},
	{way: "start-stop", code: plugin, says: says(noPlugin, "within 3s", handshake), flags: quickStart},
	{way: "start-kill", code: plugin, says: says(noPlugin)},
	{way: "start-rubbish", code: plugin, says: says(noPlugin, "no handshake")},
	{way: "start-elsewhere", code: plugin, says: says("plugin")},
	{way: "start-silence", code: plugin, says: says(noPlugin), flags: quickStart},
	{way: "start-orphans", code: plugin, says: says(noPlugin)},
	{way: "start-flood", code: sound, flags: []string{"--plugin-log", "1MB"}},
	{way: "start-close", code: plugin, says: says("plugin")},

	{way: "describe-panic", code: plugin, says: says(who, cheese)},
	{way: "describe-exit", code: plugin, says: says("exited with code 3", who, "I am off")},
	{way: "describe-leave", code: plugin, says: says("exited with code 0", who)},
	{way: "describe-hang", code: plugin, says: says(late + who)},
	{way: "describe-stop", code: plugin, says: says(late + who)},
	{way: "describe-orphans", code: plugin, says: says("exited with code 3", who)},
	{way: "description-huge", code: plugin, says: says(who, "longer than 1 MB")},
	{way: "description-nameless", code: plugin, says: says("without a name")},
	{way: "description-long", code: plugin, says: says("called", "allowed are up to 64")},
	{way: "description-escapes", code: plugin, says: says("called", `\x1b]0;owned`), everyday: true},
	{way: "description-prose", code: sound},
	{way: "description-many", code: plugin, says: says("2000 parameters", "allowed are 1000")},
	{way: "description-twice", code: plugin, says: says("gain twice")},
	{way: "description-kind", code: plugin, says: says("kind 99")},
	{
		way:      "description-bounds",
		on:       "mem",
		everyday: true,
		code:     plugin,
		says:     says("the parameter gain, a rate, without a Max: declare Min and Max", "at most 100Tbps"),
	},
	{way: "description-default", code: plugin, says: says("refuses its own defaults", "gain")},

	{way: "new-panic", code: plugin, says: says(setting, cheese)},
	{way: "new-exit", code: plugin, says: says("exited with code 3", setting, "I am off")},
	{way: "new-leave", code: plugin, says: says("exited with code 0", setting)},
	{way: "new-hang", code: plugin, says: says(late + setting)},
	{way: "new-loop", code: plugin, says: says(late + setting)},
	{way: "new-stop", code: plugin, says: says(late + setting)},
	{way: "new-nil", code: plugin, says: says(setting, "neither a controller nor an error")},
	{way: "again-panic", code: plugin, says: says(setting, cheese)},
	{way: "again-exit", code: plugin, says: says("exited with code 3", setting), everyday: true},
	{way: "again-hang", code: plugin, says: says(late + setting)},
	{way: "again-nil", code: plugin, says: says(setting, "neither a controller nor an error")},
	{way: "container-panic", code: plugin, says: says(setting, cheese), on: "veth"},
	{way: "container-exit", code: plugin, says: says("exited with code 3", setting), on: "veth"},
	{
		way:       "container-hang",
		code:      plugin,
		says:      says(late + setting),
		on:        "veth",
		impatient: true,
	},
	{
		way:       "container-stop",
		code:      plugin,
		says:      says(late + setting),
		on:        "veth",
		impatient: true,
	},
	{way: "container-nil", code: plugin, says: says(setting, "neither"), on: "veth"},

	{way: "signals-panic", code: plugin, says: says(setting, cheese)},
	{way: "signals-hang", code: plugin, says: says(late + setting)},
	{way: "asks-huge", code: plugin, says: says("flow incast/", "1073741824 bytes")},
	{way: "asks-negative", code: plugin, says: says("flow incast/", "-1 bytes"), everyday: true},
	{way: "asks-interval", code: plugin, says: says("flow incast/", "CNP interval")},
	{way: "asks-all", code: plugin, says: says("flow incast/", "asks for several")},

	{way: "sender-panic", code: plugin, says: says(inSetUp+"sender of flow", cheese)},
	{way: "sender-exit", code: plugin, says: says("exited with code 3", inSetUp+"sender of flow")},
	{way: "sender-hang", code: plugin, says: says(late + inSetUp + "sender of flow"), impatient: true},
	{way: "sender-nil", code: plugin, says: says("flow incast/", "made no sender")},
	{way: "receiver-panic", code: plugin, says: says(inSetUp+"receiver of flow", cheese)},
	{way: "receiver-exit", code: plugin, says: says("exited with code 3", inSetUp+"receiver of flow")},
	{way: "receiver-stop", code: plugin, says: says(late + inSetUp + "receiver of flow")},

	{way: "begin-panic", code: plugin, says: says("the start event"+aFlow, cheese)},
	{way: "begin-exit", code: plugin, says: says("exited with code 3 at the start event" + aFlow)},
	{way: "begin-leave", code: plugin, says: says("exited with code 0 at the start event" + aFlow)},
	{way: "begin-kill", code: plugin, says: says("killed at the start event" + aFlow)},
	// On a busy host it is late before its stack is full.
	{way: "begin-deep", code: plugin, says: says("the start event" + aFlow)},
	{way: "begin-hang", code: plugin, says: says(late + "the start event" + aFlow), impatient: true},
	{way: "begin-loop", code: plugin, says: says(late + "the start event" + aFlow)},
	{way: "begin-stop", code: plugin, says: says(late + "the start event" + aFlow), impatient: true},
	{way: "begin-negative", code: plugin, says: says("flow incast/", "start event", "-5")},
	{way: "begin-least", code: plugin, says: says("flow incast/", "start event", "-9223372036854775808")},
	{way: "begin-window", code: plugin, says: says("flow incast/", "start event", "-1")},
	{way: "begin-gap", code: plugin, says: says("flow incast/", "start event")},
	{way: "ack-bytes", code: plugin, says: says("flow incast/", "ACK event", "next timer")},
	{way: "ack-panic", code: plugin, says: says("the ACK event"+aFlow, cheese)},
	{way: "ack-exit", code: plugin, says: says("exited with code 3 at the ACK event" + aFlow)},
	{way: "sent-exit", code: plugin, says: says("exited with code 3 at the sent event" + aFlow)},
	{way: "cnp-panic", code: plugin, says: says("the CNP event"+aFlow, cheese)},
	{way: "timer-exit", code: plugin, says: says("exited with code 3 at the timer event" + aFlow)},
	{way: "timer-past", code: plugin, says: says("flow incast/", "timer event")},
	{way: "data-panic", code: plugin, says: says("a data packet"+aFlow, cheese)},
	{way: "data-hang", code: plugin, says: says(late + "a data packet" + aFlow)},
	{way: "data-negative", code: plugin, says: says("flow incast/", "base rate -5")},

	{way: "begin-bells", code: sound, everyday: true},
	{way: "begin-page", code: plugin, says: says("the start event"+aFlow, nonsense)},
	{way: "begin-ahead", code: plugin, says: says("the start event"+aFlow, nonsense)},
	{way: "ack-behind", code: plugin, says: says("the ACK event"+aFlow, nonsense)},
	{way: "begin-truncate", code: sound},
	{way: "begin-punch", code: plugin, says: says("the start event" + aFlow)},
	{way: "begin-close", code: plugin, says: says("the start event" + aFlow)},
	{way: "begin-keeper", code: sound},
	{way: "begin-orphan", code: sound, everyday: true},
	{way: "begin-orphans", code: plugin, says: says("exited with code 3 at the start event" + aFlow)},
	{way: "begin-flood", code: sound, flags: []string{"--plugin-log", "1MB"}},
	{way: "begin-memory", code: plugin, says: says("the start event" + aFlow),
		flags: []string{"--plugin-memory", "200MB"}},
	{way: "begin-tasks", code: plugin, says: says("event"+aFlow, "limit of 100 tasks"),
		flags: []string{"--plugin-tasks", "100"}},
	{way: "begin-break", code: sound, on: "veth"},
	{way: "describe-break", code: sound, on: "veth"},
	{way: "describe-rights", code: sound, on: "veth", everyday: true},
	{way: "begin-rights", code: sound, on: "veth"},
}

// inPython are the ways of its twin, which containers do not run.
var inPython = []row{
	{way: "start-raise", code: plugin, says: says(noPlugin, cheese)},
	{way: "start-exit", code: plugin, says: says(noPlugin, "I am off")},
	{way: "start-hang", code: plugin, says: says(noPlugin, "within 3s", handshake), flags: quickStart},
	{way: "describe-raise", code: plugin, says: says(who, cheese)},
	{way: "describe-loop", code: plugin, says: says(late + who)},
	{way: "new-raise", code: plugin, says: says(setting, cheese)},
	{way: "new-exit", code: plugin, says: says(setting, "I am off")},
	{way: "new-loop", code: plugin, says: says(late + setting)},
	{way: "again-raise", code: plugin, says: says(setting, cheese)},
	{way: "again-stop", code: plugin, says: says(late + setting)},
	{way: "signals-none", code: plugin, says: says(setting)},
	{way: "sender-none", code: plugin, says: says("flow incast/", "made no sender")},
	{way: "sender-raise", code: plugin, says: says(inSetUp+"sender of flow", cheese)},
	{way: "receiver-raise", code: plugin, says: says(inSetUp+"receiver of flow", cheese)},
	{way: "begin-raise", code: plugin, says: says("the start event"+aFlow, cheese, `\x1b[2J`), everyday: true},
	{way: "begin-exit", code: plugin, says: says("the start event"+aFlow, "I am off")},
	{way: "begin-leave", code: plugin, says: says("exited with code 0 at the start event" + aFlow)},
	{way: "begin-kill", code: plugin, says: says("killed at the start event" + aFlow)},
	{way: "begin-interrupt", code: plugin, says: says(aFlow)},
	{way: "begin-deep", code: plugin, says: says("the start event"+aFlow, "RecursionError")},
	{way: "begin-hang", code: plugin, says: says(late + "the start event" + aFlow)},
	{way: "begin-loop", code: plugin, says: says(late + "the start event" + aFlow)},
	{way: "begin-stop", code: plugin, says: says(late + "the start event" + aFlow)},
	{way: "begin-nan", code: plugin, says: says("the start event" + aFlow)},
	{way: "begin-none", code: plugin, says: says("the start event" + aFlow)},
	{way: "begin-huge", code: plugin, says: says("the start event" + aFlow)},
	{way: "begin-word", code: plugin, says: says("the start event" + aFlow)},
	{way: "begin-negative", code: plugin, says: says("flow incast/", "-5")},
	{way: "ack-raise", code: plugin, says: says("the ACK event"+aFlow, cheese)},
	{way: "cnp-raise", code: plugin, says: says("the CNP event"+aFlow, cheese)},
	{way: "timer-raise", code: plugin, says: says("the timer event"+aFlow, cheese)},
	{way: "data-raise", code: plugin, says: says("a data packet"+aFlow, cheese)},
	{way: "data-negative", code: plugin, says: says("flow incast/", "base rate -5")},
	{way: "begin-orphan", code: sound},
	{way: "begin-flood", code: sound, flags: []string{"--plugin-log", "1MB"}},
	{way: "begin-memory", code: plugin, says: says("the start event" + aFlow),
		flags: []string{"--plugin-memory", "200MB"}},
	{way: "end-hang", code: sound},
	{way: "end-stop", code: sound},
	{way: "end-loop", code: sound},
}
