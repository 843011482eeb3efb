package compare

// aspect is a metric in words. Each has a factor in it, except none, which is about a
// count of 0, and some, which has the count.
type aspect struct {
	metric                 string
	less, more, none, some string
}

// endings are about the time of the end: the first that differs is reported.
var endings = []aspect{
	{metric: "duration_us", less: "ends %s times earlier", more: "ends %s times later"},
	{
		metric: "fct_p99_us",
		less:   "completes its slowest flows %s times sooner",
		more:   "completes its slowest flows %s times later",
	},
	{metric: "goodput_gbps", less: "delivers %s times less", more: "delivers %s times more"},
}

// others are about the rest: the largest factor is reported.
var others = []aspect{
	{
		metric: "queue_max_bytes",
		less:   "keeps its longest queue %s times shorter",
		more:   "has its longest queue grow %s times longer",
	},
	{
		metric: "queueing_mean_us",
		less:   "has frames wait %s times less in queues",
		more:   "has frames wait %s times longer in queues",
	},
	{
		metric: "pauses",
		less:   "sends %s times fewer pauses",
		more:   "sends %s times more pauses",
		none:   "sends no pause",
		some:   "sends %s pauses",
	},
	{
		metric: "drops",
		less:   "loses %s times fewer frames",
		more:   "loses %s times more frames",
		none:   "loses no frame",
		some:   "loses %s frames",
	},
	{
		metric: "retransmits",
		less:   "resends %s times fewer packets",
		more:   "resends %s times more packets",
		none:   "resends no packet",
		some:   "resends %s packets",
	},
}
