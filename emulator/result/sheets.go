package result

// ColumnKind is the kind of a column's cells, if they are not empty.
type ColumnKind uint8

// The kinds of columns: a text, a number, a time in microseconds that is exact to the picosecond.
const (
	TextColumn ColumnKind = iota
	NumberColumn
	TimeColumn
)

// SheetColumn is a column of a CSV file of run folders.
type SheetColumn struct {
	Name string
	Kind ColumnKind
}

// sheets are the sheets that every folder may have, in the order of columns.md.
var sheets = []documented{
	traceSheet, flowSheet, slowSheet, whySheet, sizeSheet, portSheet, queueSheet, pfcSheet, watchdogSheet, dropSheet,
	deadlockSheet, outageSheet,
	proximalSheet, proximalCounterSheet, collectiveSheet, jobWhySheet, rankSheet, flowSeriesSheet, groupSeriesSheet,
	valueSeriesSheet,
	portSeriesSheet, tierSeriesSheet, queueSeriesSheet,
}

// SheetColumns are the columns of each CSV file that a run may write, by the name of the file, such as "flows.csv". The
// sheets of kinds of nodes are not among them.
func SheetColumns() map[string][]SheetColumn {
	all := map[string][]SheetColumn{swingSheet.name(): swingSheet.list()}
	for _, s := range sheets {
		all[s.name()] = s.list()
	}
	return all
}

// list returns the sheet's columns, the run's own first.
func (s sheet[R]) list() []SheetColumn {
	list := []SheetColumn{{"variant", TextColumn}, {"seed", NumberColumn}}
	for _, c := range s.columns {
		list = append(list, SheetColumn{c.name, c.kind})
	}
	return list
}
