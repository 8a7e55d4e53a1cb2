/** Other libraries beside the client, each with its own server. */
import { build } from "esbuild";
import { installPackages } from "../install-packages.ts";
import { median, type Slice } from "../measure.ts";
import { startWorker } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import { measureClientBundle, sizeOf, type BundleSize } from "./bundle-size.ts";
import { measureLocal } from "./peers/local.ts";
import { measureOpening } from "./peers/opening.ts";
import type { PeerOrder, PeerResult } from "./peers/peer.ts";
import type { ClientReport, PeerRow } from "./report-client.ts";

const PACKAGES = [
  "pouchdb@9.0.0",
  "pouchdb-browser@9.0.0",
  "express-pouchdb@4.2.0",
  "express@4",
  // What PouchDB needs of Node in a browser.
  "events@3",
  "tinybase@10.0.1",
  "ws@8",
  "dexie@4.4.7",
];

const OPENED_ROWS = 20_000;

interface Peer {
  readonly name: string;
  /** The files of server and devices, relative to `bench`. */
  readonly files: readonly [server: string, devices: string];
  /** What an app imports for the same work in a browser. */
  readonly bundle: string;
}

const PEERS: readonly Peer[] = [
  {
    name: "PouchDB 9.0 on LevelDB, express-pouchdb 4.2",
    files: ["client/peers/pouchdb-server.ts", "client/peers/pouchdb-devices.ts"],
    bundle: 'export { default } from "pouchdb-browser";',
  },
  {
    name: "TinyBase 10.0 in a SQLite file, WebSocket",
    files: ["client/peers/tinybase-server.ts", "client/peers/tinybase-devices.ts"],
    bundle:
      'export { createMergeableStore } from "tinybase/mergeable-store"; export { createWsSynchronizer } from "tinybase/synchronizers/synchronizer-ws-client"; export { createIndexedDbPersister } from "tinybase/persisters/persister-indexed-db";',
  },
];

export interface OwnResults {
  readonly documents: number;
  readonly live: readonly number[];
  /** Starts the processes; the returned function syncs a new device. */
  startFirstSync(): Promise<() => Promise<Slice>>;
}

export async function measurePeers(
  benchmark: Benchmark,
  own: OwnResults,
): Promise<ClientReport["peers"]> {
  const { documents, live } = own;
  const folder = await installPackages(benchmark, PACKAGES);
  const rows: PeerRow[] = [
    {
      name: "Trellis on SQLite",
      live,
      firstSyncSeconds: await medianSeconds(benchmark, await own.startFirstSync()),
      bundle: await measureClientBundle(),
    },
  ];
  for (const peer of PEERS) rows.push(await measurePeer(benchmark, peer, folder, documents));
  const local = await measureLocal(benchmark, folder);
  return { documents, rows, local, opening: await measureOpening(benchmark, folder, OPENED_ROWS) };
}

async function medianSeconds(
  { isQuick }: Benchmark,
  sync: () => Promise<{ readonly seconds?: number }>,
): Promise<number> {
  const times: number[] = [];
  for (let count = isQuick ? 1 : 3; count > 0; count--) {
    times.push((await sync()).seconds ?? Number.NaN);
  }
  return median(times);
}

async function measurePeer(
  benchmark: Benchmark,
  { name, files: [serverFile, devicesFile], bundle }: Peer,
  folder: string,
  documents: number,
): Promise<PeerRow> {
  const { isQuick, use, progress } = benchmark;
  progress(`Measuring ${name}`);
  const start = (file: string) => use(startWorker<PeerOrder, PeerResult>(file, "free"));
  const [server, devices] = [start(serverFile), start(devicesFile)];
  const { port = 0 } = await server.ask({ kind: "serve", folder, documents });
  const firstSyncSeconds = await medianSeconds(benchmark, () =>
    devices.ask({ kind: "first-sync", folder, port, documents }),
  );
  const { times = [] } = await devices.ask({
    kind: "live",
    folder,
    port,
    count: isQuick ? 25 : 300,
  });
  await devices.stop();
  await server.stop();
  return { name, live: times, firstSyncSeconds, bundle: await bundlePeer(bundle, folder) };
}

async function bundlePeer(contents: string, folder: string): Promise<BundleSize> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return sizeOf(outputFiles[0]?.contents ?? "");
}
