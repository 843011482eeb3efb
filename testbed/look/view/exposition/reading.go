package exposition

// Readings that are not metrics of summaries.
const (
	ended         = "ended"
	modelTime     = "model_us"
	modelLimit    = "until_us"
	wall          = "wall_ms"
	sentBytes     = "sent_bytes"
	delivered     = "received_bytes"
	queueNow      = "queue_bytes"
	outOfSequence = "out_of_sequence"
	reordered     = "reordered_packets"
)

// whileReadings are the readings in lines of unfinished runs, nowReadings the ones among them that a run folder does
// not keep.
var (
	whileReadings = map[string]bool{
		ended:       true,
		modelTime:   true,
		modelLimit:  true,
		wall:        true,
		"flows":     true,
		"completed": true,
		sentBytes:   true,
		delivered:   true,
		"marks":     true,
		"cnps":      true,
		"pauses":    true,
		"drops":     true,
		queueNow:    true,
	}
	nowReadings = map[string]bool{modelLimit: true, sentBytes: true, queueNow: true}
)
