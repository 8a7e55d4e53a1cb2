/**
 * Pages link to the files of the repository as they lie beside each other. Those that are no pages are put
 * into the site too, and links to a folder lead to its first page, so that every link works there.
 */
import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";

interface Token {
  readonly type: string;
  readonly children?: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface MarkdownCore {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: PageContext }) => void): void;
    };
  };
}

interface PageContext {
  readonly path?: string;
  readonly relativePath?: string;
}

export class RepositoryLinks {
  readonly #root: string;
  /** From the path in the site to the file. */
  readonly #files = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Has to come before VitePress's own treatment of links, which happens when tokens are rendered. */
  install({ core }: MarkdownCore): void {
    core.ruler.push("repository-links", ({ tokens, env }) => {
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        const target = token.type === "link_open" ? token.attrGet("href") : null;
        if (target === null || /^([a-z]+:|#|\/)/.test(target)) continue;
        const changed = this.#resolve(env.relativePath ?? "", target);
        if (changed !== null) token.attrSet("href", changed);
      }
    });
  }

  #resolve(page: string, target: string): string | null {
    const [path = ""] = target.split("#");
    const file = posix.join(posix.dirname(page), decodeURI(path));
    if (/\.(md|html)$/.test(file)) return null;
    const found = statSync(join(this.#root, file), { throwIfNoEntry: false });
    // A dead link: VitePress reports it with its page.
    if (found === undefined) return null;
    if (found.isDirectory()) return posix.join(path, this.#firstPage(file));
    // Browsers would download source files, or take `.ts` for a video.
    const suffix = /\.(json|png|jpg|svg)$/.test(file) ? "" : ".txt";
    this.#files.set(`${file}${suffix}`, file);
    return `/${file}${suffix}`;
  }

  #firstPage(folder: string): string {
    const names = readdirSync(join(this.#root, folder)).filter((name) => name.endsWith(".md"));
    return names.sort()[0] ?? "";
  }

  /** Call it when all pages are rendered. */
  copyTo(site: string): void {
    for (const [path, file] of this.#files) {
      mkdirSync(dirname(join(site, path)), { recursive: true });
      copyFileSync(join(this.#root, file), join(site, path));
    }
  }
}
