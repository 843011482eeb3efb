// Package measure has what rows of papers measure in Go, each by its name: what no expression of a row's file is.
//
// Measures of one run are called as measure("NAME", ...), or measures("NAME", ...) for a list; those of all runs of a
// row and those without runs stand in the place of its figures.
package measure

import "github.com/rocelab/rocelab/testbed/many/reproduce"

// All are the measures.
var All = reproduce.Measures{
	{
		Name:  "ahead",
		Doc:   "rate, acks or delay: flows that bulk meets on its way, the ACKs of the bulk beside them, in Gb/s and us",
		Value: measureAhead,
	},
	{
		Name:  "congested again",
		Doc:   "first or always: flows of job0 with CNPs in the first period, and in every one",
		Value: measureAgain,
	},
	{
		Name:  "converged",
		Doc:   "ms from 5 ms on until the shares of all flows are alike for 1 ms, 20 for never",
		Value: converged,
	},
	{
		Name:  "joining",
		Doc:   "jain FROM, late jain, worst or first: five flows that join and leave one after the other",
		Value: measureJoining,
	},
	{
		Name:  "old flows",
		Doc:   "learned, forgotten, acts or last: what switches did for flows that end before 100 ms",
		Value: measureOldFlows,
	},
	{
		Name:  "outage",
		Doc:   "rate cut, window cut, recorded or back: flows of PC4 while a link is down until 1300 us, and after",
		Value: measureOutage,
	},
	{
		Name:  "payload of the slowest port",
		Doc:   "Gb/s that flows of PC4 get through it",
		Value: portOf,
	},
	{
		Name:  "period",
		Doc:   "first, notifications or queue: periods of job0, the largest from the third on over the first",
		Value: measurePeriod,
	},
	{
		Name:  "settling",
		Doc:   "join or leave: RTTs of 4.193 us until rates stay within a tenth of the fair share",
		Value: measureSettling,
	},
	{
		Name:  "swing of a flow",
		Doc:   "a goodput's standard deviation over its mean from 15 to 25 ms, the mean of all flows",
		Value: swing,
	},
	{
		Name:  "wait of the middle half",
		Doc:   "ms of mean wait in the longest queue over the middle half of the run",
		Value: middleWait,
	},
	{
		Name:  "wait of the probe",
		Doc:   "us that packets of the flow of a probe wait on average",
		Value: probed,
	},
	{
		Name: "shares",
		Doc:  "Gb/s of payload of each flow of a GROUP, or of all, in the second half of the run",
		List: measureShares,
	},
	{
		Name: "wire rate",
		Doc:  "Gb/s of a FLOW on the wire, bin by bin FROM a time UNTIL another in us",
		List: measureWireRate,
	},
	{
		Name:    "two sites",
		Doc:     "share that each scheme keeps of one site's rate and of the bound, as a table",
		Figures: measureSites,
	},
	{
		Name:    "arrivals",
		Doc:     "flows and incasts of a plan, and their load",
		Compute: arrivals,
	},
	{
		Name:    "predictor",
		Doc:     "how well the LSTM learns",
		Compute: predictor,
	},
	{
		Name:    "three networks",
		Doc:     "LSTM, GRU and a simple recurrent network of one width",
		Compute: threeNetworks,
	},
	{
		Name:    "tuning of the gains",
		Doc:     "the gains of the PID, tuned online",
		Compute: tuning,
	},
}
