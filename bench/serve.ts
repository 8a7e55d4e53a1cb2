/**
 * What a server takes at rest and gives under many clients: start-up, memory, the times of responses, several processes
 * against one, and a thousand open streams. `--quick` takes fewer rounds; `--peers` installs other servers into
 * temporary folders and measures them too.
 */
import { startWorker } from "./processes.ts";
import { runBenchmark, type Benchmark } from "./run-benchmark.ts";
import { measureServices } from "./serve/measure-services.ts";
import { measureStreams } from "./serve/measure-streams.ts";
import { measurePeerServers } from "./serve/peers/measure-peers.ts";
import { renderServeReport, type ServeReport } from "./serve/report-serve.ts";
import type { ServeOrder, ServeResult } from "./serve/serve-load-worker.ts";

await runBenchmark(measureServe, renderServeReport, undefined, ["peers"]);

async function measureServe(benchmark: Benchmark): Promise<ServeReport> {
  const load = benchmark.use(
    startWorker<ServeOrder, ServeResult>("serve/serve-load-worker.ts", "free"),
  );
  const services = await measureServices(benchmark, load);
  const streams = await measureStreams(benchmark, load);
  const peers = benchmark.flags.has("peers") ? await measurePeerServers(benchmark, load) : null;
  return { ...services, streams, peers };
}
