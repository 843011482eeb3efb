package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// No cell of an extract is shown that is not what its column has: an error names its place, and no page is made. Red if
// a table takes the text of a cell without reading it.
func TestADamagedCellIsNotShown(t *testing.T) {
	for _, e := range []extract{
		slowFlows, slowPorts, busyPorts, longQueues, xoffs, deadlocks, pauses, losses, sizeBins, slowIterations,
	} {
		e.keep, e.rank, e.by = nil, nil, ""
		columns := slices.Concat(e.keys, e.columns)
		for i, column := range columns {
			cells := make([]string, len(columns))
			cells[i] = "abc"
			r := plain("a")
			r.files[e.file] = strings.Join(columns, ",") + "\n" + strings.Join(cells, ",") + "\n"
			folder := opened(t, "there", folderOf(t, "one", r))
			table, err := e.table([]*variant{{label: "a", runs: folder.runs}})
			place := fmt.Sprintf("there: run-0/%s:2:%d is damaged: %s: \"abc\" is not a ", e.file, i+1, column)
			isText := slices.Contains([]string{"flow", "node", "peer", "group", "collective", "reason", "beside", "over",
				"slowest", "stuck"}, column)
			isText = isText || e.file == "deadlocks.csv" && (column == "class" || column == "port") // parts of a name
			if isText != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), place) {
				t.Errorf("%s, %s: %v, %+v", e.file, column, err, table.Rows)
			}
		}
	}
}

// A damaged time of a flow, or damaged bytes of a port, prevent the page.
func TestADamagedFigureMakesNoPage(t *testing.T) {
	for name, text := range map[string]string{
		"flows.csv":  "flow,size_bytes,start_us,completed_us,fct_us,slowdown\nf,1000,0.000000,3.000000,abc,3.0\n",
		"ports.csv":  "node,port,peer,utilisation,tx_bytes\ns0,1,h0,0.5,abc\n",
		"queues.csv": "node,port,queue,treatment,depth_max_bytes,kmin_bytes\ns0,1,3,lossless,3000,abc\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := plain("a")
			r.files[name] = text
			err := Write(&strings.Builder{}, opened(t, "there", folderOf(t, "one", r)))
			if err == nil || !strings.Contains(err.Error(), name+":2:") || !strings.Contains(err.Error(), `"abc" is not a`) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}
