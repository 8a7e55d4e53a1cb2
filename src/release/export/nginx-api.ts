/** The rules for nginx: it sends what is a file of the tree, and the service responds to everything else. */
import { API_ROUTES } from "../routes.ts";
import { pathOf, type StoredResponse } from "./feed-files.ts";
import { HEADING, headerLine, location, quote, TREE_FOLDER, typeLine } from "./nginx-syntax.ts";

/** nginx sends these itself, with validators of the files. */
const OWN_HEADERS = new Set(["Content-Type", "Content-Length", "ETag", "X-Request-Id"]);

export function nginxApi(stored: readonly StoredResponse[], upstream: string): string {
  const ofRoutes = new Map(stored.filter(isAtItsPath).map((one) => [one.operationId, one]));
  return [
    HEADING,
    "# Include it inside the server { } of the API.",
    "",
    `root ${quote(`${TREE_FOLDER}/public`)};`,
    // The compressed forms are files too; what is compressed already would be compressed once more.
    "gzip_static on;",
    "gzip off;",
    // A file cannot be posted, and says nothing to a preflight; 418 is how a location gives a request away.
    "error_page 405 418 = @trellis_service;",
    ...[...ofRoutes.values()].flatMap(fileLocation),
    ...location("/", serviceLines(upstream)),
    ...location("@trellis_service", serviceLines(upstream)),
    "",
  ].join("\n");
}

/** nginx passes the target as it came where the address has no path. */
function serviceLines(upstream: string): string[] {
  return [
    `proxy_pass ${upstream};`,
    "proxy_http_version 1.1;",
    'proxy_set_header Connection "";',
    "proxy_set_header Host $host;",
    "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
  ];
}

/** Others depend on a query, or on the version that asks. */
function isAtItsPath({ target, file }: StoredResponse): boolean {
  return file === pathOf(target) || file === `${pathOf(target)}/index.json`;
}

/** The responses of a route have the same headers. */
function fileLocation({ operationId, file, headers }: StoredResponse): string[] {
  const { path } = API_ROUTES[operationId];
  const isFolder = file.endsWith("/index.json");
  // The compressed file beside a feed is not an address.
  const end = isFolder ? "" : "(?<=\\.json|\\.yml|\\.xml)";
  const pattern = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return location(path.includes("{") ? `~ "^${pattern}${end}$"` : `= ${path}`, [
    typeLine(headers["Content-Type"] ?? ""),
    ...Object.entries(headers)
      .filter(([name]) => !OWN_HEADERS.has(name))
      .map(([name, value]) => headerLine(name, value)),
    // No query, and no path that nginx had to decode or to shorten.
    "if ($request_uri != $uri) { return 418; }",
    `try_files $uri${isFolder ? "/index.json" : ""} @trellis_service;`,
  ]);
}
