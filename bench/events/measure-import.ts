/** `trellis events import` of a calendar, as a process of its own. */
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cpuSeconds, productCommand, residentMegabytes, startProgram } from "../processes.ts";
import { USERNAME, type EventsHome } from "./events-server.ts";
import { writeSampleCalendar } from "./sample-events.ts";

export interface ImportFigures {
  readonly run: string;
  readonly entries: number;
  readonly fileMegabytes: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

const WATCH_INTERVAL_MS = 10;

/** Imports twice: into an empty store, and again when all of it is there. */
export async function measureImports(
  home: EventsHome,
  entries: number,
  today: number,
): Promise<ImportFigures[]> {
  const file = join(home.folder, "planner.ics");
  await writeFile(file, writeSampleCalendar(entries, today));
  const fileMegabytes = (await stat(file)).size / 1e6;
  const figures: ImportFigures[] = [];
  for (const run of ["first import", "the same again"]) {
    figures.push({ run, entries, fileMegabytes, ...(await importOnce(home, file)) });
  }
  return figures;
}

async function importOnce({ config, kind }: EventsHome, file: string) {
  const startedAt = performance.now();
  const words = ["events", "import", file, "--account", USERNAME, "--config", config];
  const child = startProgram(productCommand(...words), kind.roles.server);
  const pid = child.pid ?? 0;
  // Both figures only grow, so that the last value before the end is as good as the end's.
  let last = { cpuSeconds: 0, peakMegabytes: 0 };
  const watch = setInterval(() => {
    const seen = { cpuSeconds: cpuSeconds(pid), peakMegabytes: residentMegabytes(pid).peak };
    if (seen.peakMegabytes > 0) last = seen;
  }, WATCH_INTERVAL_MS);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`\`trellis events import\` ended with ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, ...last };
}
