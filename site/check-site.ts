/** Reads a rendered site: every link, anchor and file of a page is there, and nothing comes from elsewhere. */
import { posix } from "node:path";
import type { SiteFile } from "./site-files.ts";

const TARGET = /<(a|img|link|script|source|video)\b[^>]*?\s(?:href|src|srcset)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;

export function checkSite(files: readonly Pick<SiteFile, "path" | "body">[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const pages = files.filter(({ path }) => path.endsWith(".html"));
  const idsByPath = new Map(
    pages.map(({ path, body }) => {
      const ids = [...String(body).matchAll(ID)].map(([, id]) => id);
      return [path, new Set(ids)];
    }),
  );
  return pages.flatMap(({ path: page, body }) =>
    [...String(body).matchAll(TARGET)].flatMap(([, element = "", target = ""]) => {
      if (/^(https?:)?\/\//.test(target)) {
        return element === "a" ? [] : [`${page}: loads ${target} from another server`];
      }
      if (/^[a-z]+:/.test(target)) return [];
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : posix.join(posix.dirname(page), path);
      if (!paths.has(file)) return [`${page}: "${target}" leads nowhere`];
      const isThere = anchor === undefined || idsByPath.get(file)?.has(decodeURIComponent(anchor));
      return isThere === true ? [] : [`${page}: "${target}" names no heading of that page`];
    }),
  );
}
