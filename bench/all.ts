/**
 * Runs every recorded benchmark, one after the other, with the options given (`--record`, `--quick`), and says how
 * long each took. One that fails does not stop the others.
 */
import { spawnSync } from "node:child_process";
import { RECORDED_BENCHMARKS } from "./recorded-benchmarks.ts";
import { tableOf } from "./tables.ts";

const table = tableOf("text");
const rows: string[][] = [];
let total = 0;

for (const { name, command } of RECORDED_BENCHMARKS) {
  const words = command.includes("--") ? command : [...command, "--"];
  const startedAt = performance.now();
  const { status } = spawnSync("npm", ["run", "-s", ...words, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  const minutes = (performance.now() - startedAt) / 60_000;
  total += minutes;
  rows.push([name, minutes.toFixed(1), status === 0 ? "" : "failed"]);
  if (status !== 0) process.exitCode = 1;
}
rows.push(["all", total.toFixed(1), ""]);
console.log(table(["benchmark", "minutes", ""], rows));
