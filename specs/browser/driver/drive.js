// Drives a browser for the specs: reads a job a line from standard input, as JSON, and
// answers each with a line. A job opens a page of its own, so that none sees another's
// doing; what a page says on its console and asks the network for is in every answer.
"use strict";
const readline = require("node:readline");
const {pathToFileURL} = require("node:url");
const {chromium} = require("playwright-core");
const jobs = require("./jobs.js");

async function open(browser, job) {
  const context = await browser.newContext({
    viewport: {width: job.width || 1200, height: 900},
    colorScheme: job.scheme || "light",
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const seen = {console: [], requests: [], dialogs: []};
  page.on("console", (message) => seen.console.push(message.type() + ": " + message.text()));
  page.on("pageerror", (error) => seen.console.push("exception: " + error.message));
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    dialog.dismiss();
  });
  page.on("request", (request) => seen.requests.push(request.url().split(/[?#]/)[0]));
  const address = job.address || pathToFileURL(job.file).href;
  await page.goto(address, {waitUntil: "load"});
  // What the page asks for but itself; a blob is the page's own data.
  seen.others = () => seen.requests.filter((url) => url !== address && !url.startsWith("blob:"));
  return {context, page, seen};
}

async function answer(browser, job) {
  const {context, page, seen} = await open(browser, job);
  try {
    const found = await jobs[job.do](page, job);
    return {...found, console: seen.console, requests: seen.others(), dialogs: seen.dialogs};
  } finally {
    await context.close();
  }
}

async function main() {
  const browser = await chromium.launch({
    executablePath: process.argv[2],
    chromiumSandbox: process.getuid() !== 0, // Chromium has none for root
    args: ["--disable-gpu", "--font-render-hinting=none",
      "--host-resolver-rules=MAP evil.example 127.0.0.1"],
  });
  console.log(JSON.stringify({version: browser.version()}));
  for await (const line of readline.createInterface({input: process.stdin})) {
    let said;
    try {
      said = await answer(browser, JSON.parse(line));
    } catch (error) {
      said = {failed: String(error.stack || error)};
    }
    console.log(JSON.stringify(said));
  }
  await browser.close();
}

main();
