// Package browser has the specs of the report in a real browser: Debian's Chromium,
// driven by playwright-core, which npm fetches once into the user's cache by the
// digests of driver/package-lock.json.
//
// The reports are of small runs in memory, made by the program as a user has it. Node acts as a reader, and reports
// what it saw; the expectations are here, from the files of the run folder. ROCELAB_SCREENSHOTS=FOLDER keeps a picture
// of every kind of page, for eyes.
package browser
