// Package runfolder reads run folders, which emulator/result writes: the manifest, each run's summary and its CSV
// files. Nothing else reads them, so that a time, a damaged cell and a file that is too large mean the same to a
// report, a comparison, Prometheus and a program of your own.
//
//   - Open and OpenFS open a folder; its Runs have a Summary, Rows of each file, and Series.
//   - A time is in microseconds with up to six decimals, and is read to the picosecond: see ParseTime.
//   - An empty cell was not measured. A cell that is not what its column has is an error that names file, line and
//     column, and so is a row with too few cells, as a file has that was cut off.
//   - Sizes are bounded by MaxJSON and MaxLine, since a folder may come from anywhere. Nothing panics. Whoever needs
//     only manifest.json or host.json may ask result.ReadManifest and ReadHost, which have the same bound.
//   - Checked has the files that are held to their digests while they are read.
//
// What the columns are is in columns.md of each folder, and in docs/results.md.
package runfolder
