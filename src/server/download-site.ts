import { createHash } from "node:crypto";
import type { Catalog } from "../rules/release/catalog.ts";
import { buildDownloadSite, type DownloadSite } from "../web/download/build-download-site.ts";
import type { ReleaseConfiguration } from "./configuration-schema.ts";

/** Builds the download page of a catalogue with the configured addresses. */
export function buildConfiguredSite(
  productName: string,
  { settings, releases }: Catalog,
  release: ReleaseConfiguration,
  now: number,
): DownloadSite {
  return buildDownloadSite({
    productName,
    product: settings.product,
    releases,
    smartDownloadUrl: release.smartDownload.url,
    websiteUrl: release.websiteDownloadUrl,
    apiBaseUrl: release.baseUrl,
    now,
    sha256: (text) => createHash("sha256").update(text).digest("base64"),
  });
}
