/** A static host on loopback: files by path, index.html for a folder. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DownloadSite } from "../../src/web/download/build-download-site.ts";

export interface ServedSite extends AsyncDisposable {
  readonly url: string;
}

type StaticSite = Pick<DownloadSite, "files" | "headers">;

/** With `sendHeaders: false` the host sends only the media type. */
export async function serveSite(
  buildSite: (url: string) => StaticSite,
  { sendHeaders = true } = {},
): Promise<ServedSite> {
  let site: StaticSite | undefined;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = pathname.slice(1).replace(/(^|\/)$/, "$1index.html");
    const file = site?.files.find((candidate) => candidate.path === path);
    if (site === undefined || file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const headers = sendHeaders ? site.headers : {};
    response.writeHead(200, { ...headers, "Content-Type": file.mediaType }).end(file.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  site = buildSite(url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
