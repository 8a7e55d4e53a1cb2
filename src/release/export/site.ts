/** The files of the download page, and the rules that serve them. */
import { LANGUAGES } from "../../contract/language.ts";
import { headersFile, HOST_HEADING } from "./host-rules.ts";
import { HEADING, headerLine, location, quote, TREE_FOLDER, typeLine } from "./nginx-syntax.ts";
import type { TreeFile } from "./write-tree.ts";

export interface ExportedSite {
  readonly files: readonly {
    readonly path: string;
    readonly mediaType: string;
    readonly body: string | Uint8Array;
  }[];
  /** The folders of the page in other languages than that at the top, by language. */
  readonly translations: Readonly<Record<string, string>>;
  /** The headers of every file, beside its media type. */
  readonly headers: Readonly<Record<string, string>>;
}

export function siteFiles(site: ExportedSite): TreeFile[] {
  return [
    { path: "nginx/site.conf", body: nginxSite(site) },
    ...site.files.map(({ path, body }) => ({ path: `site/${path}`, body })),
    { path: "site/_headers", body: headersFile([{ pattern: "/*", headers: site.headers }]) },
    { path: "site/_redirects", body: languageRedirects(site) },
  ];
}

function nginxSite({ files, headers, translations }: ExportedSite): string {
  const types = new Map(files.map(({ path, mediaType }) => [path, mediaType]));
  const lines = Object.entries(headers).map(([name, value]) => headerLine(name, value));
  return [
    HEADING,
    "# Include it inside the server { } of the website.",
    "",
    `root ${quote(`${TREE_FOLDER}/site`)};`,
    "index index.html;",
    ...lines,
    ...location("= /", [
      "absolute_redirect off;",
      // nginx cannot test two conditions at once: without a choice the text begins with a colon.
      'set $trellis_languages "$arg_lang:$http_accept_language";',
      ...Object.entries(translations).map(
        ([language, folder]) =>
          `if ($trellis_languages ~* "^:${preferring(language)}") { return 302 /${folder}$is_args$args; }`,
      ),
      typeLine(types.get("index.html") ?? ""),
      // A location with headers of its own has none of the server's.
      ...lines,
      headerLine("Vary", "Accept-Language"),
      "try_files /index.html =404;",
    ]),
    ...[...types].flatMap(([path, mediaType]) => location(`= /${path}`, [typeLine(mediaType)])),
    "",
  ].join("\n");
}

/** An Accept-Language that names this language first: browsers write them in the order of their weights. */
function preferring(language: string): string {
  const others = LANGUAGES.filter((other) => other !== language).join("|");
  return `(?:(?! *(?:${others})(?![a-z0-9]))[^,]*,)* *${language}(?![a-z0-9])`;
}

/** For hosts that know `Language=`; others ignore the lines, and the page's script does the same. */
function languageRedirects({ translations }: ExportedSite): string {
  const lines = Object.entries(translations).map(
    ([language, folder]) => `/ /${folder} 302! Language=${language}`,
  );
  // The first matching line counts: a visitor who has chosen a language stays.
  return [HOST_HEADING, "/ lang=:language /index.html 200!", ...lines, ""].join("\n");
}
