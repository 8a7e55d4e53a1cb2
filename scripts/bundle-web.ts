/** Bundles scripts and styles into committed text: pages need no bundler, and a policy can have its hash. */
import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { PAGE_BROWSERS, toEsbuildTarget } from "./browser-targets.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const ASSETS = [
  ["examples/demo/page/script.ts", "demo-script"],
  ["examples/demo/page/page.css", "demo-style"],
  ["src/web/download/script.ts", "download-script"],
  ["src/web/download/page.css", "download-style"],
  ["src/web/login/script.ts", "login-script"],
  ["src/web/sign-in-link/script.ts", "sign-in-link-script"],
  ["src/web/welcome/script.ts", "welcome-script"],
  ["src/web/owner/script.ts", "owner-script"],
  ["src/web/events/sign-in/script.ts", "events-sign-in-script"],
  ["src/web/events/consent/script.ts", "events-consent-script"],
  ["src/web/events/script.ts", "events-account-script"],
  ["src/web/style/pages.css", "pages-style"],
  ["src/web/style/app.css", "app-style"],
  ["site/browser/script.ts", "docs-script"],
  ["site/browser/search.ts", "docs-search"],
  ["site/browser/theme.ts", "docs-theme"],
  ["site/style/page.css", "docs-style"],
] as const;

export interface GeneratedFile {
  /** The path is relative to the root of the repository. */
  readonly path: string;
  readonly content: string;
}

export function bundleWebScripts(): Promise<GeneratedFile[]> {
  return Promise.all(
    ASSETS.map(async ([source, name]) => toModule(name, source, await bundle(source))),
  );
}

/** A module that exports the text, or texts by name, as a constant of that name, in capitals. */
export function toModule(
  name: string,
  source: string,
  text: string | Readonly<Record<string, string>>,
): GeneratedFile {
  const constant = name.toUpperCase().replaceAll("-", "_");
  const content = `// Generated from ${source} by scripts/bundle-web.ts; do not edit.\n// oxfmt-ignore\nexport const ${constant} =\n  ${JSON.stringify(text)};\n`;
  return { path: `src/web/generated/${name}.ts`, content };
}

/** The style of apps as a file that a person may read and change: the example with a folder of its own has it. */
export async function bundleAppStyle(): Promise<GeneratedFile> {
  const style = await bundle("src/web/style/app.css", { minify: false });
  return {
    path: "examples/tasks/src/trellis.css",
    content: `/* The look of the pages of Trellis, from src/web/style: yours to change in a copy. */\n${style}\n`,
  };
}

export const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
} as const satisfies BuildOptions;

/** The text is safe between script or style tags: esbuild writes `</script>` as `<\/script>`. */
export async function bundle(source: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: [source],
    format: "iife",
    target: ["es2020", ...toEsbuildTarget(PAGE_BROWSERS)],
    ...options,
    write: false,
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild has no output for "${source}"`);
  return output.text.trimEnd();
}
