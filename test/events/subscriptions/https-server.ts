/** A real https server on loopback under made-up names, with its own certificate authority. */
import { execFileSync } from "node:child_process";
import type { LookupAddress } from "node:dns";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  createAddressGuard,
  type ResolveHost,
} from "../../../src/events/subscriptions/address-guard.ts";
import {
  createFeedFetcher,
  type FeedFetcherOptions,
} from "../../../src/events/subscriptions/fetch-feed.ts";

export const FEED_HOST = "feed.example";
export const OTHER_HOST = "other.example";

export interface FeedServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
  /** For `feed.example`, `other.example` and `localhost`; PEM, its own authority. */
  readonly certificate: string;
  /** With `feed.example` and `other.example` as allowed private hosts. */
  fetcher(options?: FeedFetcherOptions): ReturnType<typeof createFeedFetcher>;
}

export async function serveFeed(t: TestContext, listener: RequestListener): Promise<FeedServer> {
  const { key, cert } = makeCertificate();
  const requests: IncomingMessage[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://${FEED_HOST}:${port}`,
    port,
    requests,
    certificate: cert,
    fetcher: (options) =>
      createFeedFetcher({
        guard: createAddressGuard([FEED_HOST, OTHER_HOST]),
        resolve: resolveTo("127.0.0.1"),
        ca: cert,
        ...options,
      }),
  };
}

/** Each lookup gets the next addresses; the last ones repeat. */
export function resolveTo(...lookups: (string | readonly string[])[]): ResolveHost {
  const left = [...lookups];
  return (_host, callback) => {
    const found = (left.length > 1 ? left.shift() : left[0]) ?? [];
    const addresses = [found]
      .flat()
      .map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(callback, null, addresses);
  };
}

let made: { readonly key: string; readonly cert: string } | null = null;

function makeCertificate(): { readonly key: string; readonly cert: string } {
  if (made !== null) return made;
  const folder = mkdtempSync(join(tmpdir(), "trellis-certificate-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const names = `subjectAltName=DNS:${FEED_HOST},DNS:${OTHER_HOST},DNS:localhost`;
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const about = ["-subj", "/CN=Test feeds", "-days", "2", "-addext", names];
    execFileSync(
      "openssl",
      ["req", "-x509", ...kind, ...about, "-keyout", keyFile, "-out", certFile],
      { stdio: "pipe" },
    );
    made = { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8") };
    return made;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
