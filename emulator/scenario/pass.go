package scenario

// pass is one step from a draft to its plan. Each stands in the file of what it is about; which of the others it needs
// is part of the value, so that a test holds the order of passes to it.
type pass struct {
	// name is what the pass adds, resolves or checks, for messages of tests.
	name string
	// after are the passes of which it reads results.
	after []*pass
	// run adds to the plan, or reports problems. It copes with what earlier passes refused.
	run func(b *builder)
}

// passes are those of every scenario whose graph can be made and routed, in their order: problems are listed by place,
// yet of two at one place the first pass's stands first.
var passes = []*pass{
	&edgeNames,
	&wanPass,
	&edgePass,
	&wanDelays,
	&switchPass,
	&treePass,
	&nicPass,
	&proximityPass,
	&dciThresholds,
	&bufferCheck,
	&watchdogPass,
	&dciCheck,
	&triggerCheck,
	&serverPass,
	&faultPass,
	&flowPass,
	&peerPass,
	&failoverPass,
	&receiverCheck,
	&thresholdPass,
	&endCheck,
	&controllerCheck,
	&costlyCheck,
	&jobCheck,
}
