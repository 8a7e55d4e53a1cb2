/** The rules for nginx that serve the download page. */
import { headerLine } from "./nginx-headers.ts";
import { HEADING, indent, quote } from "./nginx-syntax.ts";
import { TREE_FOLDER } from "./nginx-servers.ts";
import type { ExportedSite } from "./site.ts";

export function nginxSite({ files, headers }: ExportedSite): string {
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
