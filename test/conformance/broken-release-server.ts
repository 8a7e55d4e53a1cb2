import type { ReleaseInput } from "../../conformance/index.ts";
import { createReleaseService, type ReleaseService } from "../../src/release/service.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import type { BreakContext, BrokenResponder, ReleaseBreak } from "./breaks/break.ts";
import { createConformanceCatalog } from "./release-catalog.ts";
import { breakService, serveBroken } from "./serve-broken.ts";

const PUBLIC = {
  baseUrl: "https://releases.example.org",
  smartDownloadUrl: "https://download.example.org",
  websiteDownloadUrl: "https://www.example.org/#download",
};

export interface BrokenServers {
  /** Serves with the break in place on all three listeners. */
  serve<T>(broken: ReleaseBreak | null, use: (input: ReleaseInput) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function createBrokenServers(): Promise<BrokenServers> {
  const catalog = await createConformanceCatalog();
  const { fixture } = catalog;
  const emptyFixture = await createCatalogFixture({ releases: 0, signed: false });
  const full = createReleaseService({ ...PUBLIC, catalog: fixture.folder });
  const empty = createReleaseService({ ...PUBLIC, catalog: emptyFixture.folder });
  await Promise.all([full.ready, empty.ready]);

  const known = { fixtures: catalog.known.fixtures, privateKey: fixture.privateKey };
  return {
    async serve(broken, use) {
      const open = (service: ReleaseService, origin: BreakContext["origin"]) => {
        const breakResponse = broken?.respond;
        const respond: BrokenResponder | undefined =
          breakResponse &&
          (async (request, context) => breakResponse(request, { ...known, origin, ...context }));
        return serveBroken(breakService(service[origin], respond), broken?.tamper);
      };
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
          ...catalog.known,
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
