import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { exportRelease, type ExportResult } from "../../../release/export/export-release.ts";
import { CatalogError } from "../../../release/live-catalog.ts";
import type { Catalog } from "../../../rules/release/catalog.ts";
import type { ReleaseConfiguration } from "../../../server/configuration-schema.ts";
import { buildDownloadSite } from "../../../web/download/build-download-site.ts";
import { CommandError, defineCommand, UsageError } from "../../command.ts";

export const exportCommand = defineCommand({
  summary: "Write the service's answers as files for a CDN or any web server",
  description:
    "Makes DIR/current, a tree with every answer that needs no live service, byte for byte, and the rules with which nginx, Caddy and static hosts serve it with the same headers. The tree is replaced at once, or not at all.",
  arguments: {
    dir: { description: "A new or empty folder, or an earlier export", required: true },
  },
  options: {
    upstream: {
      type: "string",
      value: "URL",
      description: "A running release service, for update decisions and pages that are no files",
    },
    "deployed-at": {
      type: "string",
      value: "PATH",
      description: "Where DIR will stand on the web server (default: where it is here)",
    },
    site: {
      type: "string",
      value: "NAME",
      description: "Also write the download page; NAME is what people call the app",
    },
  },
  examples: [
    "trellis release export /srv/releases --upstream http://127.0.0.1:4801",
    'trellis release export ./public --deployed-at /srv/releases --site "My Habits"',
  ],
  async run(context) {
    const { args, options } = context;
    const upstream = readUpstream(options.upstream);
    const { release, file } = await context.configuration();
    if (release === undefined) {
      throw new CommandError(
        `The configuration "${file}" has no "release" section: add one, \`{}\` is enough`,
      );
    }
    const now = Date.now();
    const name = options.site;
    const outcome = await exportRelease({
      ...release,
      smartDownloadUrl: release.smartDownload.url,
      directory: args.dir,
      deployedAt: readDeployedAt(options["deployed-at"]),
      upstream,
      buildSite: name === undefined ? null : (catalog) => buildSite(catalog, release, name, now),
      now,
    }).catch(explainFailure);
    if (outcome.kind === "foreign-folder") {
      throw new CommandError(
        `"${resolve(args.dir)}" has something in it that no export wrote: name a new or empty folder`,
      );
    }
    for (const warning of outcome.warnings) context.warn(`Warning: ${warning}`);
    for (const line of describe(outcome, upstream)) context.print(line);
    context.json(outcome);
  },
});

/** nginx and Caddy take an origin: a path would be added to every request. */
function readUpstream(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(
      `--upstream must be an address such as http://127.0.0.1:4801, not "${text}"`,
    );
  }
  return url.origin;
}

function readDeployedAt(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!text.startsWith("/")) {
    throw new UsageError(`--deployed-at must be a path from the root, not "${text}"`);
  }
  return resolve(text);
}

function buildSite(catalog: Catalog, release: ReleaseConfiguration, name: string, now: number) {
  return buildDownloadSite({
    productName: name,
    product: catalog.settings.product,
    releases: catalog.releases,
    smartDownloadUrl: release.smartDownload.url,
    websiteUrl: release.websiteDownloadUrl,
    apiBaseUrl: release.baseUrl,
    now,
    sha256: (text) => createHash("sha256").update(text).digest("base64"),
  });
}

function explainFailure(error: unknown): never {
  if (error instanceof CatalogError)
    throw new CommandError(error.message, { faults: error.faults });
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EROFS" || code === "ENOSPC") {
    throw new CommandError(
      `Cannot write "${path}" (${code}): the last export is still in place; check the folder and run it again`,
    );
  }
  throw error;
}

type Written = Exclude<ExportResult, { kind: "foreign-folder" }>;

function describe(outcome: Written, upstream: string | null): string[] {
  const { tree, files, bytes, releases } = outcome;
  const size = `${releases} releases, ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB`;
  if (outcome.kind === "unchanged") return [`Nothing has changed: ${tree} (${size})`];
  return [
    `Wrote ${tree} (${size})`,
    ...(upstream === null
      ? ["Without --upstream, update decisions answer 404: clients decide from the manifest"]
      : []),
    "Next:",
    `  nginx        include ${tree}/nginx/maps.conf in http, nginx/api.conf and nginx/smart-download.conf in a server each, then \`nginx -t && nginx -s reload\``,
    `  Caddy        import ${tree}/Caddyfile, \`import trellis_api\` in the site, then \`caddy reload\``,
    `  static host  publish ${tree}/public`,
  ];
}
