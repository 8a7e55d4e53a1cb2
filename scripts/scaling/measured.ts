/** The recorded figures that the scaling page builds on, under names. */
import { findFigure, findInText, readRecordedRun } from "../recorded-run.ts";

const AGAINST_BARE = "The service over HTTP";
const PROCESSES = "Several processes against one";
const MANY_EVENTS = "1,000,000 stored events";
const LISTS = "changes since any moment, 16 clients";
const TOKENS = "Token exchange, and";
const IMPORT = "`trellis events import`";

export type MeasuredFigures = Awaited<ReturnType<typeof readMeasured>>;

export async function readMeasured() {
  const release = await readRecordedRun("release");
  const host = await readRecordedRun("host");
  return {
    updateDecisions: findFigure(release, "Trellis against a bare", "update decision"),
    ...(await readSync()),
    host: {
      /** Every push opens an instance and closes another. */
      openingPushes: findFigure(
        host,
        "Pushes of 100",
        "random of all, which opens most of them, 16 devices",
        "pushes/s",
      ),
      megabytes: findFigure(
        host,
        "The server process",
        "the pushes to open instances",
        "resident MB",
      ),
      open: findInText(host, /([\d,]+) of them active and open at once/),
    },
    ...(await readEvents()),
  };
}

async function readSync() {
  const sqlite = await readRecordedRun("sync");
  const postgres = await readRecordedRun("sync-postgres");
  const three = "push of 100, 16 clients, 3 processes";
  return {
    push: {
      sqliteOne: findFigure(sqlite, AGAINST_BARE, "push of 100, one client"),
      sqliteMany: findFigure(sqlite, AGAINST_BARE, "push of 100, 16 clients"),
      postgresOne: findFigure(postgres, AGAINST_BARE, "push of 100, one client"),
      postgresMany: findFigure(postgres, AGAINST_BARE, "push of 100, 16 clients"),
      oneProcess: findFigure(postgres, PROCESSES, three, "one/s"),
      threeProcesses: findFigure(postgres, PROCESSES, three),
    },
    pull: {
      sqlite: findFigure(sqlite, AGAINST_BARE, "pull of 500, 16 clients"),
      postgres: findFigure(postgres, AGAINST_BARE, "pull of 500, 16 clients"),
    },
    snapshot: {
      megabytes: findInText(sqlite, /Snapshot of [\d,]+ entities: (\d+) MB/),
      entities: findInText(sqlite, /Snapshot of ([\d,]+) entities/),
    },
    syncPeakMegabytes: findFigure(sqlite, "Resident memory", "pull of 500, 16 clients", "peak MB"),
  };
}

async function readEvents() {
  const sqlite = await readRecordedRun("events");
  const postgres = await readRecordedRun("events-postgres");
  return {
    lists: {
      sqlite: findFigure(sqlite, MANY_EVENTS, LISTS),
      postgres: findFigure(postgres, MANY_EVENTS, LISTS),
      oneProcess: findFigure(postgres, PROCESSES, `${LISTS}, 3 processes`, "one/s"),
      threeProcesses: findFigure(postgres, PROCESSES, `${LISTS}, 3 processes`),
    },
    eventsMegabytes: {
      sqlite: findInText(sqlite, /store of 1,000,000 events has (\d+) MB/),
      postgres: findInText(postgres, /store of 1,000,000 events has (\d+) MB/),
    },
    tokens: {
      sqlite: findFigure(sqlite, TOKENS, "token exchange, 16 clients"),
      postgres: findFigure(postgres, TOKENS, "token exchange, 16 clients"),
    },
    import: {
      entries: findFigure(postgres, IMPORT, "the same again", "entries"),
      cpuSeconds: findFigure(postgres, IMPORT, "the same again", "CPU s"),
    },
  };
}
