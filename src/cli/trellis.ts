#!/usr/bin/env -S node --max-semi-space-size=8 --min-semi-space-size=8
/**
 * The command line. The flags keep the heap's nursery at one small size: it would grow to 64 MB under
 * load, and that makes little faster here. Installers make starters of the first line, and not all of
 * them understand more in it than a program and its flags.
 */
import cluster from "node:cluster";
import { enableCompileCache } from "node:module";

// Starting is most of what a short command does; what was compiled once is kept for the next time.
enableCompileCache();
const { rootCommand } = await import("./commands/root.ts");
const { runCommandLine } = await import("./run.ts");

// Whoever reads the output may have read enough (`trellis … | head`): that is no failure of ours.
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
// The channel to its primary would keep a worker alive that has done its work.
if (cluster.isWorker) process.exit();
