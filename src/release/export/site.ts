/** The files of the download page, and the rules that serve them. */
import { headersFile } from "./host-rules.ts";
import { TREE_FOLDER } from "./nginx-servers.ts";
import { HEADING, headerLine, indent, quote } from "./nginx-syntax.ts";
import type { TreeFile } from "./write-tree.ts";

export interface ExportedSite {
  readonly files: readonly {
    readonly path: string;
    readonly mediaType: string;
    readonly body: string;
  }[];
  /** Of every file, beside its media type. */
  readonly headers: Readonly<Record<string, string>>;
}

export function siteFiles(site: ExportedSite): TreeFile[] {
  return [
    { path: "nginx/site.conf", body: nginxSite(site) },
    ...site.files.map(({ path, body }) => ({ path: `site/${path}`, body })),
    { path: "site/_headers", body: headersFile([{ pattern: "/*", headers: site.headers }]) },
  ];
}

function nginxSite({ files, headers }: ExportedSite): string {
  const types = new Map(files.map(({ path, mediaType }) => [path, mediaType]));
  const lines = Object.entries(headers).map(([name, value]) => headerLine(name, quote(value)));
  return [
    HEADING,
    "# Include it inside the server { } of the website.",
    "",
    `root ${quote(`${TREE_FOLDER}/site`)};`,
    "index index.html;",
    ...lines,
    ...[...types].flatMap(([path, mediaType]) => [
      "",
      `location = /${path} {`,
      ...indent([`types { } default_type ${quote(mediaType)};`]),
      "}",
    ]),
    "",
  ].join("\n");
}
