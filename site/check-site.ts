/** Reads a rendered site: every link, anchor and file of a page is there, and nothing comes from elsewhere. */
import { posix } from "node:path";
import type { DocsSite } from "./render-docs.ts";

const TARGET = /<(a|img|link|script|source)\b[^>]*?\s(?:href|src|srcset)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;

export function checkSite({ files }: Pick<DocsSite, "files">): string[] {
  const idsByPath = new Map<string, ReadonlySet<string>>();
  for (const [path, { body }] of files) {
    if (!path.endsWith(".html")) continue;
    idsByPath.set(path, new Set([...String(body).matchAll(ID)].map(([, id = ""]) => id)));
  }
  return [...idsByPath.keys()].flatMap((page) =>
    [...String(files.get(page)?.body).matchAll(TARGET)].flatMap(([, element = "", target = ""]) => {
      if (/^(https?:)?\/\//.test(target)) {
        return element === "a" ? [] : [`${page}: loads ${target} from another server`];
      }
      if (/^[a-z]+:/.test(target)) return [];
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : posix.join(posix.dirname(page), path);
      if (!files.has(file)) return [`${page}: "${target}" leads nowhere`];
      const isThere = anchor === undefined || idsByPath.get(file)?.has(decodeURIComponent(anchor));
      return isThere === true ? [] : [`${page}: "${target}" names no heading of that page`];
    }),
  );
}
