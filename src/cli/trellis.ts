#!/usr/bin/env -S node --max-semi-space-size=8 --min-semi-space-size=8
/**
 * The command line. The flags keep the young generation of the heap at one small size: it would grow
 * to 64 MB under load, which makes Trellis hardly faster. They are in the first line because
 * installers build their launchers from it.
 */
import cluster from "node:cluster";
import { enableCompileCache } from "node:module";

// A short command spends most of its time on start-up: the compiled code is kept for the next start.
enableCompileCache();
const { rootCommand } = await import("./commands/root.ts");
const { runCommandLine } = await import("./run.ts");

// The reader of the output may close it early (`trellis … | head`), which is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});
process.exitCode = await runCommandLine(rootCommand, process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
// The channel to the primary would keep a finished worker alive.
if (cluster.isWorker) process.exit();
