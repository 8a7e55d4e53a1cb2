/**
 * Bundles what runs in a browser into modules of text. They are committed, so that building a page
 * needs no bundler: a page is a pure function, and a policy can name the hash of this very text.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const ASSETS = [
  {
    source: "src/web/download/script.ts",
    path: "src/web/generated/download-script.ts",
    name: "DOWNLOAD_SCRIPT",
  },
  {
    source: "src/web/download/page.css",
    path: "src/web/generated/download-style.ts",
    name: "DOWNLOAD_STYLE",
  },
  {
    source: "src/web/login/script.ts",
    path: "src/web/generated/login-script.ts",
    name: "LOGIN_SCRIPT",
  },
  {
    source: "src/web/login/page.css",
    path: "src/web/generated/login-style.ts",
    name: "LOGIN_STYLE",
  },
  {
    source: "src/web/events/sign-in/script.ts",
    path: "src/web/generated/events-sign-in-script.ts",
    name: "EVENTS_SIGN_IN_SCRIPT",
  },
  {
    source: "src/web/events/consent/script.ts",
    path: "src/web/generated/events-consent-script.ts",
    name: "EVENTS_CONSENT_SCRIPT",
  },
  {
    source: "src/web/events/script.ts",
    path: "src/web/generated/events-account-script.ts",
    name: "EVENTS_ACCOUNT_SCRIPT",
  },
  {
    source: "src/web/events/page.css",
    path: "src/web/generated/events-style.ts",
    name: "EVENTS_STYLE",
  },
] as const;

export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly content: string;
}

export function bundleWebScripts(): Promise<GeneratedFile[]> {
  return Promise.all(
    ASSETS.map(async ({ source, path, name }) => {
      const text = await bundle(source);
      const content = `// Generated from ${source} by scripts/bundle-web.ts; do not edit.\n// oxfmt-ignore\nexport const ${name} =\n  ${JSON.stringify(text)};\n`;
      return { path, content };
    }),
  );
}

/** Ends up between script or style tags: esbuild writes a closing tag inside it as <\/script>. */
async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [source],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    charset: "utf8",
    legalComments: "none",
    target: ["es2020", "chrome109", "firefox115", "safari15"],
    logLevel: "silent",
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`esbuild made nothing of "${source}"`);
  return output.text.trimEnd();
}
