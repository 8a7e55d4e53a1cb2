/** A static host on loopback: files by path, index.html for a folder. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSiteService } from "../../src/server/site-service.ts";
import { createNodeHandler } from "../../src/http/node-handler.ts";
import type { DownloadSite } from "../../src/web/download/build-download-site.ts";

export interface ServedSite extends AsyncDisposable {
  readonly url: string;
}

type StaticSite = Pick<DownloadSite, "files" | "headers">;

/** With `sendHeaders: false` the host sends none of the site's headers but the media type. */
export async function serveSite(
  buildSite: (url: string) => StaticSite,
  { sendHeaders = true } = {},
): Promise<ServedSite> {
  let site: StaticSite = { files: [], headers: {} };
  const server = createServer(createNodeHandler(createSiteService(() => site)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { files, headers } = buildSite(url);
  site = { files, headers: sendHeaders ? headers : {} };
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
