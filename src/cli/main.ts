/** Runs the command line in this process, on a Node that is new enough. */
import cluster from "node:cluster";
import nodeModule from "node:module";

// A short command spends most of its time on start-up: the compiled code is kept for the next start.
// Deno keeps it by itself, and has no such function.
(nodeModule as Partial<typeof nodeModule>).enableCompileCache?.();
const { readEnvironment } = await import("../configuration/read-environment.ts");
const { rootCommand } = await import("./commands/root.ts");
const { runCommandLine } = await import("./run.ts");

let isLog = false;
let isData = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (isLog || isData) return;
  // The reader of the output may close it early (`trellis … | head`), which is not an error.
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`Cannot write the output (${error.code}): check its destination\n`);
  process.exit(1);
});
// A message that cannot be shown must not end the command.
process.stderr.on("error", () => {});
process.exitCode = await runCommandLine(rootCommand, process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: readEnvironment(),
  useOutputAsLog: () => {
    isLog = true;
  },
  useOutputAsData: () => {
    isData = true;
  },
});
// The channel to the primary, or unread lines of a log, would keep a finished process alive.
if (cluster.isWorker || isLog) process.exit();
