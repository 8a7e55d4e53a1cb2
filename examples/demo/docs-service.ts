/** The documentation beside the demo. A person who opens it waits for its pages, and the start of the demo does not. */
import type { HttpService } from "../../src/http/create-http-service.ts";
import { createSiteService, type ServedSite } from "../../src/server/site-service.ts";

/** `render` is called for the first request, and again after it failed. */
export function createDocsService(render: () => Promise<ServedSite>): HttpService {
  let site: ServedSite = { files: [], headers: {} };
  let rendering: Promise<ServedSite> | null = null;
  const service = createSiteService(() => site);
  return {
    async respond(request) {
      // A browser asks for the files of a page beside each other.
      rendering ??= render();
      try {
        site = await rendering;
      } catch (error) {
        rendering = null;
        throw error;
      }
      return service.respond(request);
    },
    protocolErrorResponse: service.protocolErrorResponse,
  };
}

/** `folder` is that of the package. */
export async function renderDocsSite(folder: string): Promise<ServedSite> {
  const { renderDocs } = await import("../../site/render-docs.ts");
  return renderDocs(folder);
}
