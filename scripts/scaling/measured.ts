/** The recorded figures that the scaling page builds on, under names. */
import { readFigures, readSentence } from "./recorded-figures.ts";

const SQLITE = "Personal sync";
const POSTGRES = "Personal sync on PostgreSQL";
const HOST = "Many instances";
const LISTS = "changes since any moment, 16 clients";

export type MeasuredFigures = ReturnType<typeof readMeasured>;

export function readMeasured(benchmarks: string) {
  const find = readFigures(benchmarks);
  const AGAINST_BARE = "The service over HTTP";
  const processes = "Several processes against one";
  return {
    updateDecisions: find("Benchmarks", "Trellis against a bare", "update decision"),
    push: {
      sqliteOne: find(SQLITE, AGAINST_BARE, "push of 100, one client"),
      sqliteMany: find(SQLITE, AGAINST_BARE, "push of 100, 16 clients"),
      postgresOne: find(POSTGRES, AGAINST_BARE, "push of 100, one client"),
      postgresMany: find(POSTGRES, AGAINST_BARE, "push of 100, 16 clients"),
      oneProcess: find(POSTGRES, processes, "push of 100, 16 clients, 3 processes", "one/s"),
      threeProcesses: find(POSTGRES, processes, "push of 100, 16 clients, 3 processes"),
    },
    pull: {
      sqlite: find(SQLITE, AGAINST_BARE, "pull of 500, 16 clients"),
      postgres: find(POSTGRES, AGAINST_BARE, "pull of 500, 16 clients"),
    },
    snapshot: {
      megabytes: readSentence(benchmarks, SQLITE, /Snapshot of [\d,]+ entities: (\d+) MB/),
      entities: readSentence(benchmarks, SQLITE, /Snapshot of ([\d,]+) entities/),
    },
    syncPeakMegabytes: find(SQLITE, "Resident memory", "pull of 500, 16 clients", "peak MB"),
    host: {
      /** Every push opens an instance and closes another. */
      openingPushes: find(
        HOST,
        "Pushes of 100",
        "random of all, which opens most of them, 16 devices",
        "pushes/s",
      ),
      megabytes: find(HOST, "The server process", "the pushes to open instances", "resident MB"),
      open: readSentence(benchmarks, HOST, /([\d,]+) of them active and open at once/),
    },
    lists: {
      sqlite: find("Events", "1,000,000 stored events", LISTS),
      postgres: find("Events on PostgreSQL", "1,000,000 stored events", LISTS),
      oneProcess: find("Events on PostgreSQL", processes, `${LISTS}, 3 processes`, "one/s"),
      threeProcesses: find("Events on PostgreSQL", processes, `${LISTS}, 3 processes`),
    },
    eventsMegabytes: {
      sqlite: readSentence(benchmarks, "Events", /store of 1,000,000 events has (\d+) MB/),
      postgres: readSentence(benchmarks, "Events on PostgreSQL", /events has (\d+) MB/),
    },
    tokens: {
      sqlite: find("Events", "Token exchange, and", "token exchange, 16 clients"),
      postgres: find("Events on PostgreSQL", "Token exchange, and", "token exchange, 16 clients"),
    },
    import: {
      entries: find("Events on PostgreSQL", "`trellis events import`", "the same again", "entries"),
      cpuSeconds: find(
        "Events on PostgreSQL",
        "`trellis events import`",
        "the same again",
        "CPU s",
      ),
    },
  };
}
