#!/usr/bin/env node
/** The command line. */
import cluster from "node:cluster";
import { rootCommand } from "./commands/root.ts";
import { runCommandLine } from "./run.ts";

process.exitCode = await runCommandLine(rootCommand, process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
// The channel to its primary would keep a worker alive that has done its work.
if (cluster.isWorker) process.exit();
