import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { select } from "@clack/prompts";
import { explainFileError } from "../../database/explain-file-error.ts";
import { APP_TEMPLATES } from "../../web/generated/app-templates.ts";
import { CommandError, defineCommand, flag, option, type CommandContext } from "../command.ts";
import { findPackageSource } from "../create/package-source.ts";
import { expectInput, questionOf } from "../prompts.ts";
import { parseChoice } from "./release/parse-options.ts";

const TEMPLATES = ["notes", "tasks", "sealed"] as const;
type Template = (typeof TEMPLATES)[number];

const LABELS: Readonly<Record<Template, string>> = {
  notes: "notes: one page, without a framework",
  tasks: "tasks: React and TypeScript, with counters, tags and an order",
  sealed: "sealed: the notes, end-to-end encrypted",
};

export const command = defineCommand({
  description:
    "Writes a small app that syncs and installs what it needs. `npm run dev` in its folder then starts the app and a sync server.",
  arguments: {
    folder: { description: "A new or empty folder, whose name is that of the app", required: true },
  },
  options: {
    template: option(
      "NAME",
      `${TEMPLATES.join(", ")} (default: asked at a terminal, otherwise notes)`,
    ),
    package: option(
      "FILE",
      "The packed file of Trellis for the app (default: what this command came from)",
    ),
    "no-install": flag("Do not run `npm install`"),
  },
  examples: ["npx trellis create my-app", "npx trellis create my-app --template tasks"],
  async run(context) {
    const folder = resolve(context.args.folder);
    await expectEmpty(folder);
    const source = await findPackageSource(context.options.package);
    const template = await chooseTemplate(context);
    const name = toPackageName(folder);
    await writeFiles(folder, readTemplate(template, { name, source }));
    const place = relative("", folder) || ".";
    context.print(`Created the app ${name} in ${folder}, from the template ${template}`);
    const isInstalled = !context.options["no-install"];
    if (isInstalled) await install(folder, place);
    context.print(
      "",
      "Start it together with a sync server, and open the link that this prints in two browsers:",
      "",
      place !== "." && `  cd ${place}`,
      !isInstalled && "  npm install",
      "  npm run dev",
    );
    context.json({ folder, template, package: source, isInstalled });
  },
});

async function expectEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw explain(folder, error);
  });
  if (names.length > 0) {
    throw new CommandError(`"${folder}" is not empty: name a new folder, nothing was changed`);
  }
}

async function chooseTemplate(context: CommandContext): Promise<Template> {
  const given = context.options["template"];
  if (given !== undefined) return parseChoice("--template", given, TEMPLATES);
  if (!context.isInteractive) return "notes";
  return expectInput(
    await select<Template>({
      ...questionOf(context, "Which app?"),
      options: TEMPLATES.map((value) => ({ value, label: LABELS[value] })),
    }),
  );
}

/** npm takes small letters, digits and a few signs. */
function toPackageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  // An app of that name could not install the package.
  return name === "" || name === "trellis" ? "my-app" : name;
}

function readTemplate(
  template: Template,
  app: { readonly name: string; readonly source: string },
): (readonly [path: string, text: string])[] {
  const files = Object.entries(APP_TEMPLATES).filter(([path]) => path.startsWith(`${template}/`));
  return files.map(([path, text]) => {
    const name = path.slice(template.length + 1);
    return [name, name === "package.json" ? completePackage(text, app) : text];
  });
}

function completePackage(text: string, { name, source }: { name: string; source: string }): string {
  const about = JSON.parse(text) as { readonly dependencies: object };
  const dependencies = { ...about.dependencies, trellis: source };
  return `${JSON.stringify({ ...about, name, dependencies }, null, 2)}\n`;
}

async function writeFiles(folder: string, files: ReturnType<typeof readTemplate>): Promise<void> {
  try {
    for (const [name, text] of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text, { flag: "wx" });
    }
  } catch (error) {
    throw explain(folder, error);
  }
}

function explain(folder: string, error: unknown): unknown {
  const reason = explainFileError(error);
  if (reason === undefined) return error;
  return new CommandError(`Cannot create the app in "${folder}": ${reason}; name another folder`);
}

/** What npm prints is a log beside the result of this command. */
async function install(folder: string, place: string): Promise<void> {
  const npm = spawn("npm install --no-fund --no-audit", {
    cwd: folder,
    shell: true,
    stdio: ["ignore", 2, 2],
  });
  const [code] = (await once(npm, "exit")) as [number | null];
  if (code === 0) return;
  throw new CommandError(
    `The app is in "${place}", but \`npm install\` failed: correct what it says above, and run it again there`,
  );
}
