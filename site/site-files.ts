/** The files of the site, and those of the repository that its pages link to or show. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { IMMUTABLE } from "../src/contract/cache-control.ts";
import type { PageTargets, Picture } from "./markdown.ts";
import type { DocsPage } from "./read-pages.ts";

export interface SiteFile {
  /** From the root of the site. */
  readonly path: string;
  readonly mediaType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The value of the header of that name, for a file that never changes. */
  readonly cacheControl?: string;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mp4": "video/mp4",
  ".webp": "image/webp",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

export class SiteFiles {
  readonly #files = new Map<string, SiteFile>();
  readonly #root: string;
  readonly #pages: ReadonlyMap<string, DocsPage>;

  constructor(root: string, pages: ReadonlyMap<string, DocsPage>) {
    this.#root = root;
    this.#pages = pages;
  }

  list(): SiteFile[] {
    return [...this.#files.values()];
  }

  add(path: string, body: SiteFile["body"], caching: Pick<SiteFile, "cacheControl"> = {}): void {
    const mediaType = MEDIA_TYPES[posix.extname(path)] ?? "text/plain; charset=utf-8";
    this.#files.set(path, { path, mediaType, body, ...caching });
  }

  /** A name with a hash: it may be cached forever. Gives the path. */
  addAsset(name: string, body: string): string {
    const hash = createHash("sha256").update(body).digest("hex").slice(0, 10);
    const path = `assets/${name.replace(".", `-${hash}.`)}`;
    this.add(path, body, { cacheControl: IMMUTABLE });
    return path;
  }

  targetsOf(page: DocsPage): PageTargets {
    const from = (path: string) => posix.join(posix.dirname(page.source), decodeURI(path));
    return {
      link: (target) => {
        if (/^([a-z]+:|#)/.test(target)) return target;
        const [path = "", anchor] = target.split("#");
        const found = this.#find(from(path));
        if (found === null) return null;
        return relativeUrl(page.path, found) + (anchor === undefined ? "" : `#${anchor}`);
      },
      picture: (target) => {
        const found = this.#find(from(target));
        return found === null
          ? null
          : { url: relativeUrl(page.path, found), ...this.#sizeOf(found) };
      },
    };
  }

  /** The path in the site of a file or folder of the repository; it becomes a file of the site. */
  #find(source: string): string | null {
    if (source === "README.md") return "index.html";
    const name = source.endsWith("/") ? `${source}index.md` : source;
    const page = this.#pages.get(name) ?? this.#pages.get(`${source}/index.md`);
    if (page !== undefined) return page.path;
    // A page for maintainers stays in the repository, and a page shows nothing of the machine that renders it.
    if (/^docs\/.*\.md$|^\.\.\//.test(source)) return null;
    if (statSync(join(this.#root, source), { throwIfNoEntry: false })?.isFile() !== true)
      return null;
    // Browsers would download source files, or take `.ts` for a video.
    const path = /\.(json|png|svg)$/.test(source) ? source : `${source}.txt`;
    if (!this.#files.has(path)) this.add(path, readFileSync(join(this.#root, source)));
    return path;
  }

  #sizeOf(path: string): Pick<Picture, "width" | "height"> {
    const bytes = Buffer.from(this.#files.get(path)?.body ?? "");
    // PNG, section 11.2.2: the first chunk begins with both.
    if (path.endsWith(".png"))
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(bytes.toString()) ?? [];
    return { width: Math.round(Number(width)), height: Math.round(Number(height)) };
  }
}

export function relativeUrl(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}
