/** Reads a built site: what a page loads or links to is a file of the site, and nothing comes from elsewhere. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const LINK = /<(a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g;

export function checkSite(site: string): string[] {
  const files = readdirSync(site, { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".html")).flatMap((page) => checkPage(site, page));
}

function checkPage(site: string, page: string): string[] {
  const html = readFileSync(join(site, page), "utf8");
  return [...html.matchAll(LINK)].flatMap(([, element = "", target = ""]) => {
    if (/^(https?:)?\/\//.test(target)) {
      return element === "a" ? [] : [`${page}: loads ${target} from another server`];
    }
    if (/^[a-z]+:/.test(target)) return [];
    const [path = ""] = target.split("#");
    const file = path.startsWith("/") ? join(site, path) : join(site, dirname(page), path);
    const isThere = path === "" || existsSync(path.endsWith("/") ? join(file, "index.html") : file);
    return isThere ? [] : [`${page}: "${target}" leads nowhere`];
  });
}
