/**
 * What a server with many instances costs: pushes of 100 to random ones of those that are active, against
 * the same to one, and with their opening. `--store postgres` has them in one database that four processes
 * serve. `--quick` takes a tenth of the instances.
 */
import { measureFileHost } from "./host/measure-file-host.ts";
import { measurePostgresHost } from "./host/measure-postgres-host.ts";
import { renderFileHost, renderPostgresHost, type HostReport } from "./host/report-host.ts";
import { runBenchmark } from "./run-benchmark.ts";

await runBenchmark<HostReport>(
  async (benchmark) =>
    benchmark.store === "postgres"
      ? { kind: "postgres", ...(await measurePostgresHost(benchmark)) }
      : { kind: "files", ...(await measureFileHost(benchmark)) },
  (report, style) =>
    report.kind === "postgres" ? renderPostgresHost(report, style) : renderFileHost(report, style),
  ["sqlite", "postgres"],
);
