/** The download page, built from the catalogue. */
import { createHash } from "node:crypto";
import type { Catalog } from "../rules/release/catalog.ts";
import type { Site } from "../rules/release/site/validate-site.ts";
import { buildDownloadSite, type DownloadSite } from "../web/download/build-download-site.ts";

export interface SiteSource {
  readonly productName: string;
  /** The contents of `site.json`; null when there is no such file. */
  readonly site: Site | null;
  readonly catalog: Catalog;
}

/** The addresses that the page shows and links to. */
export interface SiteAddresses {
  readonly baseUrl: string;
  readonly websiteDownloadUrl: string;
  readonly smartDownload: { readonly url: string };
}

export function buildConfiguredSite(
  { productName, site, catalog: { settings, releases } }: SiteSource,
  release: SiteAddresses,
  now: number,
): DownloadSite {
  return buildDownloadSite({
    productName,
    product: settings.product,
    site,
    releases,
    smartDownloadUrl: release.smartDownload.url,
    websiteUrl: release.websiteDownloadUrl,
    apiBaseUrl: release.baseUrl,
    now,
    sha256: (text) => createHash("sha256").update(text).digest("base64"),
  });
}
