/** Installs and starts servers of others. One that this machine cannot install or start does not end the run. */
import { installPackages } from "../../install-packages.ts";
import { startWorker } from "../../processes.ts";
import type { Benchmark } from "../../run-benchmark.ts";

export interface PeerServer {
  readonly pid: number;
  readonly port: number;
}

/** Starts a process from a file of `bench`, which serves as it is asked to. */
export type StartWorker = (file: string, order: object) => Promise<PeerServer>;

export interface Peer {
  readonly name: string;
  readonly packages: readonly string[];
  /** `folder` has the packages; the server keeps its data there too. */
  start(startWorker: StartWorker, folder: string): Promise<PeerServer>;
}

export interface StartedPeers<One extends Peer> {
  readonly started: readonly (One & PeerServer)[];
  /** A sentence for each that did not start. */
  readonly missing: string[];
}

export async function startPeers<One extends Peer>(
  benchmark: Benchmark,
  peers: readonly One[],
): Promise<StartedPeers<One>> {
  const started: (One & PeerServer)[] = [];
  const missing: string[] = [];
  const start: StartWorker = async (file, order) => {
    const worker = benchmark.use(startWorker<object, { port: number }>(file, "free"));
    return { pid: worker.pid, ...(await worker.ask(order)) };
  };
  for (const peer of peers) {
    try {
      const folder = await installPackages(benchmark, peer.packages);
      started.push({ ...peer, ...(await peer.start(start, folder)) });
    } catch (error) {
      missing.push(`${peer.name} was not measured: ${reasonOf(error)}`);
    }
  }
  return { started, missing };
}

/** Of the many lines of npm the first, which has the code of the error. */
function reasonOf(error: unknown): string {
  const lines = String(error).split("\n");
  return lines.find((line) => line.startsWith("npm error")) ?? lines[0] ?? "";
}
