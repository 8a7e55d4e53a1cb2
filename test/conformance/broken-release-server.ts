/** Serves the real in-process release service on loopback, with one thing broken. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReleaseInput } from "../../src/conformance/index.ts";
import type { HttpService } from "../../src/http/create-http-service.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { createNodeHandler } from "../../src/http/node-handler.ts";
import { createReleaseService, type ReleaseService } from "../../src/release/service.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { plainExchange, type BreakContext, type ReleaseBreak } from "./breaks/break.ts";
import { createConformanceCatalog } from "./release-catalog.ts";

const PUBLIC = {
  baseUrl: "https://releases.example.org",
  smartDownloadUrl: "https://download.example.org",
  websiteDownloadUrl: "https://www.example.org/#download",
};

export interface BrokenServers {
  /** Runs with the break in place on all three listeners. */
  serve<T>(fault: ReleaseBreak | null, use: (input: ReleaseInput) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function createBrokenServers(): Promise<BrokenServers> {
  const { fixture, known } = await createConformanceCatalog();
  const emptyFixture = await createCatalogFixture({ releases: 0, signed: false });
  const full = createReleaseService({ ...PUBLIC, catalog: fixture.folder });
  const empty = createReleaseService({ ...PUBLIC, catalog: emptyFixture.folder });
  await Promise.all([full.ready, empty.ready]);

  const facts = { holds: known.holds, privateKey: fixture.privateKey };
  return {
    async serve(fault, use) {
      const open = (service: ReleaseService, origin: BreakContext["origin"]) =>
        serveOnce(breakService(service, fault, { ...facts, origin }), fault);
      const listeners = await Promise.all([
        open(full, "api"),
        open(full, "smartDownload"),
        open(empty, "api"),
      ]);
      const [api, smartDownload, emptyApi] = listeners;
      try {
        return await use({
          baseUrl: api.url,
          smartDownloadUrl: smartDownload.url,
          publicUrl: PUBLIC.baseUrl,
          publicSmartDownloadUrl: PUBLIC.smartDownloadUrl,
          websiteDownloadUrl: PUBLIC.websiteDownloadUrl,
          emptyUrl: emptyApi.url,
          ...known,
        });
      } finally {
        for (const { close } of listeners) close();
      }
    },
    async close() {
      await Promise.all([full.close(), empty.close()]);
      await Promise.all([fixture.remove(), emptyFixture.remove()]);
    },
  };
}

function breakService(
  service: ReleaseService,
  fault: ReleaseBreak | null,
  facts: Omit<BreakContext, "honest">,
): HttpService {
  const real = service[facts.origin];
  const answer = fault?.answer;
  if (answer === undefined) return real;
  const context = { ...facts, honest: async (exchange: Exchange) => real.answer(exchange) };
  return { ...real, answer: async (exchange) => answer(plainExchange(exchange), context) };
}

async function serveOnce(service: HttpService, fault: ReleaseBreak | null) {
  const server = createServer(createNodeHandler(service));
  fault?.tamper?.(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
