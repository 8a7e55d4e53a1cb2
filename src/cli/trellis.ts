#!/usr/bin/env node
/** The command line. */
import { rootCommand } from "./commands/root.ts";
import { runCommandLine } from "./run.ts";

process.exitCode = await runCommandLine(rootCommand, process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
