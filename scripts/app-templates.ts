/**
 * The apps that `trellis create` writes: those of `examples`, and here what differs in a folder of their own.
 * Each change names a text of the example, so that an example that has changed fails here.
 */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleAppStyle, toModule, type GeneratedFile } from "./bundle-web.ts";

const EXAMPLES = join(import.meta.dirname, "../examples");
type Files = Readonly<Record<string, string>>;
type Change = readonly [from: string | RegExp, to: string];

/** All templates in one record, by their paths, such as `tasks/src/main.tsx`. */
export async function bundleAppTemplates(): Promise<GeneratedFile> {
  const templates = {
    notes: await buildNotes(),
    tasks: await buildTasks(),
    sealed: await buildSealed(),
  };
  const files = Object.entries(templates).flatMap(([template, each]) =>
    Object.entries(each).map(([path, text]) => [`${template}/${path}`, text] as const),
  );
  return toModule("app-templates", "examples", Object.fromEntries(files));
}

async function buildTasks(): Promise<Files> {
  const sources = globSync("{index.html,serve.ts,src/*}", { cwd: join(EXAMPLES, "tasks") }).sort();
  const entries = sources.map(async (path) => [path, await readExample(`tasks/${path}`)] as const);
  return {
    ...Object.fromEntries(await Promise.all(entries)),
    "src/trellis.css": (await bundleAppStyle()).content,
    "package.json": change(await readExample("tasks/package.json"), [
      [/("dev": .*)/, '$1,\n    "types": "tsc"'],
    ]),
    "tsconfig.json": `${JSON.stringify(TASKS_TSCONFIG, null, 2)}\n`,
    ...describeApp("Its data is in `src/data.ts`, and `npm run types` checks the types."),
  };
}

/** The service worker needs the types of another platform than the pages. */
const TASKS_TSCONFIG = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    types: [],
    module: "preserve",
    jsx: "react-jsx",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  },
  include: ["src"],
  exclude: ["src/service-worker.ts"],
};

/** The script of the page becomes a file, which the server of the tasks app bundles. */
async function buildNotes(): Promise<Files> {
  const page = await readExample("notes/index.html");
  const [, script = ""] = /<script type="module">\n(.*?) *<\/script>/s.exec(page) ?? [];
  const about = JSON.parse(await readExample("tasks/package.json")) as Record<string, unknown>;
  const { esbuild } = about["dependencies"] as { esbuild: string };
  delete about["devDependencies"];
  return {
    "index.html": change(page, [
      [/ *<!-- An app with a bundler does not need this. -->\n.*?<\/script>\n/s, ""],
      [/<script type="module">\n.*?<\/script>/s, '<script type="module" src="/app.js"></script>'],
      ["./trellis.css", "/style.css"],
    ]),
    "src/main.js": change(script.replaceAll(/^ {6}/gm, ""), [
      [/location\.origin, \/\/.*/, "SYNC_URL, // The address of the sync server, set by serve.ts."],
    ]),
    "serve.ts": change(await readExample("tasks/serve.ts"), [
      [
        /const ENTRIES = \{.*?\};/s,
        'const ENTRIES = { app: "src/main.js", style: "src/trellis.css" };',
      ],
    ]),
    "src/trellis.css": (await bundleAppStyle()).content,
    "package.json": `${JSON.stringify({ ...about, dependencies: { esbuild } }, null, 2)}\n`,
    ...describeApp("Everything it does is in `src/main.js`."),
  };
}

/** The notes, and the recovery key. */
async function buildSealed(): Promise<Files> {
  const notes = (await buildNotes()) as Record<
    "index.html" | "src/main.js" | "package.json",
    string
  >;
  return {
    ...notes,
    "index.html": change(notes["index.html"], [
      [
        /( *)<p role="status" class="meta row">/,
        '$1<section aria-label="Recovery key"></section>\n$&',
      ],
    ]),
    "src/main.js": change(notes["src/main.js"], [
      [
        /^import .*\n/,
        '$&import { createEncryption } from "trellis/client/encryption";\nimport { showKey } from "./key.js";\n',
      ],
      [/( *)profile: "open",\n/, "$&$1encryption: createEncryption(),\n"],
      [/\n*$/, '\nshowKey(client, document.querySelector("section"));\n'],
    ]),
    "src/key.js": await readExample("sealed/key.js"),
    "package.json": change(notes["package.json"], [
      ["trellis dev", "trellis dev --profile sealed"],
    ]),
    ...describeApp("Everything it does is in `src/main.js`, and the recovery key in `src/key.js`."),
  };
}

function describeApp(where: string): Files {
  return {
    "README.md": `# An app that syncs

\`npm run dev\` starts the app and a sync server on this computer, whose data is in the folder \`data\`. Open the
link that it prints in two browsers: each is a device. ${where}

The documentation is in \`node_modules/trellis/docs\`: begin with \`guides/add-sync-to-your-app.md\`.
`,
    ".gitignore": "node_modules/\ndata/\n",
  };
}

function change(text: string, changes: readonly Change[]): string {
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    if (next === changed) throw new Error(`The example has no ${String(from)}`);
    return next;
  }, text);
}

function readExample(path: string): Promise<string> {
  return readFile(join(EXAMPLES, path), "utf8");
}
