package mutant

// repairsOfFolder are readers of run folders of the kind that there were before emulator/runfolder.
var repairsOfFolder = []Repair{
	{
		Name: "a time with more decimals than a picosecond has is cut off",
		Edits: []Source{{
			File: "emulator/runfolder/time.go",
			Old:  "\t\tcase c < '0' || c > '9' || decimals == timeDecimals:\n",
			New:  "\t\tcase decimals == timeDecimals:\n\t\t\tcontinue\n\t\tcase c < '0' || c > '9':\n",
		}},
		Package: "emulator/runfolder",
		Run:     "TestDamagedFiles",
	},
	{
		Name: "a cell that is not a number is 0",
		Edits: []Source{{
			File: "emulator/runfolder/rows.go",
			Old:  "\t\tr.note(column, err)\n\t\treturn math.NaN()\n",
			New:  "\t\treturn 0\n",
		}},
		Package: "emulator/runfolder",
		Run:     "TestDamagedFiles",
	},
	{
		Name: "a file of JSON is read whatever its size",
		Edits: []Source{{
			File: "internal/textfile/regular.go",
			Old:  "if err == nil && int64(len(text)) > most {",
			New:  "if err == nil && int64(len(text)) > most+1 {",
		}},
		Package: "emulator/runfolder",
		Run:     "TestBounds",
	},
}
