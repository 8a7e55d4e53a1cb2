/** Whether the clock of this machine can be right, by what else has a time. */
import { statSync } from "node:fs";
import { DAY_MS } from "../../contract/durations.ts";
import type { Database } from "../../database/database.ts";
import { errorFinding, warning, type Finding } from "./finding.ts";

const SUBJECT = "clock";
const REMEDY = "set the clock, or let the system do it";

/** A store that is in use is opened more often than that. */
const UNUSED_MS = 366 * DAY_MS;

/** A file is written with the clock of its machine. */
export function checkClockOfFile(file: string, now: number): Finding[] {
  const times = [file, `${file}-wal`].map(
    (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity,
  );
  const written = Math.max(...times);
  const at = (time: number) => new Date(time).toISOString();
  if (written > now + DAY_MS) {
    return [
      errorFinding(
        SUBJECT,
        `it shows ${at(now)}, but ${file} was written at ${at(written)}: sessions and links end at wrong times`,
        REMEDY,
      ),
    ];
  }
  return written < now - UNUSED_MS
    ? [
        warning(
          SUBJECT,
          `it shows ${at(now)}, and ${file} was written last at ${at(written)}`,
          "if the service was in use since then, set the clock",
        ),
      ]
    : [];
}

/** The greatest difference that two machines and the way between them explain. */
const MAX_DIFFERENCE_MS = 60_000;

/** A database server has a clock of its own. */
export async function checkClockOfServer(
  database: Pick<Database, "query">,
  now: () => number,
): Promise<Finding[]> {
  const before = now();
  const [row] = await database.query<{ at: number }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at",
  );
  const at = row?.at ?? before;
  if (at > before - MAX_DIFFERENCE_MS && at < now() + MAX_DIFFERENCE_MS) return [];
  const seconds = Math.round(Math.abs(at - before) / 1000);
  return [
    errorFinding(
      SUBJECT,
      `it is ${seconds} seconds ${at > before ? "behind" : "ahead of"} that of the database server`,
      `${REMEDY}, on both machines`,
    ),
  ];
}
