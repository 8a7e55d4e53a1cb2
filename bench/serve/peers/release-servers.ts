/** Servers of others that send the bytes of a response of the release service. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NGINX, runNginx } from "../../../test/release/export/run-nginx.ts";
import type { BareResponse } from "../../bare-server.ts";
import type { Benchmark } from "../../run-benchmark.ts";
import type { Peer, PeerServer } from "./start-peers.ts";

export const LATEST = "/api/v1/releases/latest";

interface PeerRelease extends Peer {
  readonly serves: string;
}

export function releaseServers(release: BareResponse): readonly PeerRelease[] {
  const serves = "one route, the same bytes";
  const file = "serve/peers/peer-server-worker.ts";
  return [
    {
      name: "Express 5.3",
      packages: ["express@5.3.0"],
      serves,
      start: (startWorker, folder) => startWorker(file, { peer: "express", folder, release }),
    },
    {
      name: "Hono 4.13 on Node",
      packages: ["hono@4.13.19", "@hono/node-server@2.1.8"],
      serves,
      start: (startWorker, folder) => startWorker(file, { peer: "hono", folder, release }),
    },
  ];
}

/** The same body as a file; null where nginx is not installed. */
export async function startNginx(
  { createFolder, use }: Benchmark,
  { body }: BareResponse,
): Promise<PeerServer | null> {
  if (NGINX === null) return null;
  const tree = await createFolder();
  await mkdir(join(tree, "nginx"));
  const file = join(tree, "latest.json");
  await writeFile(file, Buffer.from(body, "base64"));
  const rules = `location = ${LATEST} { alias ${file}; default_type application/json; }\n`;
  await writeFile(join(tree, "nginx/api.conf"), rules);
  const { pid, apiPort } = use(await runNginx(tree));
  return { pid, port: apiPort };
}
