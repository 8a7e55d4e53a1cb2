import { resolve } from "node:path";
import { exportRelease, type ExportResult } from "../../../release/export/export-release.ts";
import { CatalogError } from "../../../release/catalog.ts";
import { buildConfiguredSite } from "../../../release/pages.ts";
import { CommandError, defineCommand, option, UsageError, type Line } from "../../command.ts";
import { formatCount, formatFileSize } from "../../format.ts";
import { readSection } from "../../read-section.ts";

export const command = defineCommand({
  description:
    "Creates DIR/current: every response that needs no running service, byte for byte, and the rules with which nginx and static hosts serve it with the same headers. The tree is replaced atomically.",
  arguments: {
    dir: { description: "A new or empty folder, or an earlier export", required: true },
  },
  options: {
    upstream: option(
      "URL",
      "A running release service: nginx asks it for what is no file, such as update decisions",
    ),
    "deployed-at": option("PATH", "The path of DIR on the web server (default: its path here)"),
    site: option(
      "NAME",
      "Also export the download page; NAME is the display name of the app (default: that of site.json, if there is one)",
    ),
  },
  examples: [
    "trellis release export /srv/releases --upstream http://127.0.0.1:4801",
    'trellis release export ./public --deployed-at /srv/releases --site "My Habits"',
  ],
  async run(context) {
    const { args, options } = context;
    const upstream = parseUpstream(options.upstream);
    const { section: release } = await readSection(context, "release");
    const now = Date.now();
    const result = await exportRelease({
      ...release,
      smartDownloadUrl: release.smartDownload.url,
      directory: args.dir,
      deployedAt: parseDeployedAt(options["deployed-at"]),
      upstream,
      buildSite: (catalog, site) => {
        const productName = options.site ?? site?.name;
        return productName === undefined
          ? null
          : buildConfiguredSite({ productName, site, catalog }, release, now);
      },
      now,
    }).catch(explainExportError);
    if (result.kind === "foreign-folder") {
      throw new CommandError(
        `"${resolve(args.dir)}" contains files that are not from an export: name a new or empty folder`,
      );
    }
    for (const warning of result.warnings) context.warn(`Warning: ${warning}`);
    context.print(...describe(result, upstream));
    context.json(result);
  },
});

/** nginx would put a path in the place of that of the request. */
function parseUpstream(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(
      `--upstream must be an address such as http://127.0.0.1:4801, not "${text}"`,
    );
  }
  return url.origin;
}

function parseDeployedAt(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!text.startsWith("/")) {
    throw new UsageError(`--deployed-at must be a path from the root, not "${text}"`);
  }
  return resolve(text);
}

function explainExportError(error: unknown): never {
  if (error instanceof CatalogError) {
    throw new CommandError(error.lines, { errors: error.errors });
  }
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EROFS" || code === "ENOSPC") {
    throw new CommandError(
      `Cannot write "${path}" (${code}): the last export is still in place; check the folder and run it again`,
    );
  }
  throw error;
}

type Written = Exclude<ExportResult, { kind: "foreign-folder" }>;

function describe(result: Written, upstream: string | null): Line[] {
  const { tree, files, bytes, releases } = result;
  const size = `${formatCount(releases, "release")}, ${formatCount(files, "file")}, ${formatFileSize(bytes)}`;
  const outdated =
    result.outdatedAt !== null &&
    `Export again after ${result.outdatedAt}: a deadline passes then, and the appcast must mark the release as critical`;
  if (result.kind === "unchanged") return [`Nothing has changed in ${tree}: ${size}`, outdated];
  return [
    `Wrote ${tree}: ${size}`,
    outdated,
    "Next:",
    upstream !== null &&
      `  nginx        include ${tree}/nginx/api.conf in its server, then \`nginx -t && nginx -s reload\``,
    `  static host  publish ${tree}/public: clients decide on updates from the manifest`,
    result.hasSite &&
      `  website      include ${tree}/nginx/site.conf in its nginx server, or publish ${tree}/site on a static host`,
  ];
}
