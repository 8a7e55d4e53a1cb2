import { DEFAULT_CHANNEL, RELEASE_CHANNELS } from "../../../contract/release/values.ts";
import { enterFiles, prepareFiles } from "../../../release/publishing/add-files.ts";
import { enterArtifacts, type AddedArtifact } from "../../../release/publishing/add-to-draft.ts";
import { findRelease, readForChange } from "../../../release/publishing/change-catalog.ts";
import { findDraft } from "../../../release/publishing/change-draft.ts";
import { createDraft, planDraft, type NewDraft } from "../../../release/publishing/create-draft.ts";
import type { NewArtifact } from "../../../release/publishing/prepare-artifact.ts";
import type { Catalog } from "../../../rules/release/catalog.ts";
import { warnAboutOwnFiles } from "../../../rules/release/check-own-files.ts";
import { explainAppcastFile } from "../../../rules/release/feeds/appcast.ts";
import { explainTauriFile } from "../../../rules/release/feeds/tauri-feed.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  UsageError,
  type CommandContext,
  type ValuesOf,
} from "../../command.ts";
import { formatCount, formatFileSize, formatTable } from "../../format.ts";
import { clearProgress, showByteProgress } from "../../progress.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import {
  expectAllowed,
  expectChanged,
  openCatalogContext,
  passphraseSource,
  toCommandError,
  type OpenedCatalogContext,
} from "./catalog-context.ts";
import {
  identifyFiles,
  parsePlaces,
  type EnteredFile,
  type SkippedFile,
} from "./identify-files.ts";
import {
  parseAppVersion,
  parseChoice,
  parseCount,
  parseHttpsUrl,
  parseIfGiven,
  parseVersionOption,
} from "./parse-options.ts";

const OPTIONS = {
  "url-base": option("URL", "The download address of the files, without their names", {
    required: true,
  }),
  build: option("N", "Create the draft with this build number, if it does not exist"),
  channel: option("CHANNEL", "For a new draft: stable (default) or beta"),
  "app-version": option("SEMVER", "For a new draft: the version that the app shows"),
  as: option("NAME=PLACE", "Set what a file is for, PLATFORM/ARCH, or skip it with NAME=skip", {
    multiple: true,
  }),
  signed: flag("Files for Windows, macOS, Android and iOS have the platform's code signature"),
  minisign: flag("Sign the files that Tauri installs, and that have no .sig file"),
  sparkle: flag("Sign the files that Sparkle installs"),
  ...PLAN_OPTIONS,
  ...PASSPHRASE_OPTION,
} as const;

export const command = defineCommand({
  description:
    "Detects the platform, architecture and kind of each file from its content and name. A .sig file is the signature of the file beside it, for Tauri; a .blockmap file is left to `release upload`. A folder stands for the files in it; folders beside files, checksums and update files of other tools are left out. A second run adds new and rebuilt files. The files themselves are not uploaded.",
  arguments: {
    version: { description: "The draft, or a new one with --build", required: true },
    files: { description: "The built files, or their folder", required: true, multiple: true },
  },
  options: OPTIONS,
  examples: [
    "trellis release add 2.1.0 build --url-base https://downloads.example.com/2.1.0",
    "trellis release add 1.2.90 dist/* --url-base https://downloads.example.com/beta --build 43 --channel beta --app-version 1.3.0-beta.3 --yes",
  ],
  async run(context) {
    const { options } = context;
    const version = parseVersionOption("VERSION", context.args.version);
    const newDraft = readNewDraft(version, options);
    const catalog = await openCatalogContext(context);
    const addition = await planAddition(context, catalog, version, newDraft);
    const { before, isNew, prepared, result, lines } = addition;
    for (const warning of result.warnings) context.warn(`Warning: ${warning}`);
    const consequence = describeChange(result);
    if (consequence === null) {
      context.print(...lines, `Nothing to add: ${explainNothing(result, addition.draft)}`);
      context.json(result);
      return;
    }
    const plan = { consequence: `This ${consequence}`, details: lines, plan: result };
    await confirmPlan(context, plan);
    if (isNew && newDraft !== undefined)
      expectChanged(await createDraft(catalog, newDraft), context);
    expectChanged(
      await enterArtifacts(catalog, version, before.settings, (now) => enterFiles(now, prepared)),
      context,
    );
    context.print(
      ...(options.yes ? lines : []),
      `Done: this ${consequence}`,
      `Next: upload the files with \`trellis release upload ${version}\`, and see \`trellis release check\``,
    );
    context.json(result);
  },
});

/** Files that were all left out are no reason to call a draft complete. */
function explainNothing(
  { version, files }: { readonly version: string; readonly files: readonly unknown[] },
  { artifacts }: { readonly artifacts: readonly unknown[] },
): string {
  if (files.length > 0) return `the draft ${version} has it all`;
  const count = artifacts.length;
  const has = count === 0 ? "no files yet" : count === 1 ? "one file" : `${count} files`;
  return `none of these is a file that people install, and the draft ${version} has ${has}`;
}

type Options = ValuesOf<typeof OPTIONS>;

/** Undefined without --build: then there must be a draft. */
function readNewDraft(version: string, options: Options): NewDraft | undefined {
  const draft = {
    version,
    channel: parseChoice("--channel", options.channel ?? DEFAULT_CHANNEL, RELEASE_CHANNELS),
    appVersion: parseIfGiven("--app-version", options["app-version"], parseAppVersion),
  };
  const buildNumber = parseIfGiven("--build", options.build, parseCount);
  if (buildNumber !== undefined) return { ...draft, buildNumber };
  if (options.channel === undefined && draft.appVersion === undefined) return undefined;
  throw new UsageError("--channel and --app-version are for a new draft: give its --build too");
}

type Context = CommandContext<{ files: { description: string; multiple: true } }, typeof OPTIONS>;

/** Reads everything, and changes nothing. */
async function planAddition(
  context: Context,
  catalog: OpenedCatalogContext,
  version: string,
  newDraft: NewDraft | undefined,
) {
  const { options } = context;
  const urlBase = parseUrlBase(options["url-base"]);
  const told = parsePlaces(options.as);
  const { catalog: before } = expectAllowed(await readForChange(catalog));
  const { draft, isNew } = chooseDraft(before, version, newDraft);
  const { files, skipped } = await identifyFiles(context, context.args.files, told, draft);
  const { files: prepared } = expectAllowed(
    await prepareFiles(
      catalog,
      before.settings,
      draft,
      files.map((file) => toRequest(version, file, urlBase, options)),
      passphraseSource(context, catalog),
      showByteProgress(context, "Hashing"),
    ),
  );
  clearProgress(context);
  const entered = enterFiles(draft, prepared);
  if ("kind" in entered) throw toCommandError(entered);
  const added = entered.result.map(({ change, artifact }, index) => ({
    path: files[index]?.path ?? "",
    kind: files[index]?.kind ?? "",
    change,
    artifact,
  }));
  const warnings = [
    ...entered.result.flatMap((item) => item.warnings),
    ...warnUnsigned(files, options.signed),
    ...warnAboutOwnFiles(entered.draft, before),
  ];
  const result = { version, created: isNew, files: added, skipped, warnings };
  return { before, draft, isNew, prepared, result, lines: describeFiles(result) };
}

/** The name of a file is added to the path, so nothing may come after that. */
function parseUrlBase(text: string): string {
  const url = parseHttpsUrl("--url-base", text);
  if (!/[?#]/.test(url)) return url.replace(/(?<!\/)\/+$/, "");
  throw new UsageError(`--url-base must be an address without "?" and "#", not "${text}"`);
}

/** The draft there is, which must be the one that is described, or the new one. */
function chooseDraft(catalog: Catalog, version: string, newDraft: NewDraft | undefined) {
  if (newDraft !== undefined && findRelease(catalog, version) === undefined) {
    return { draft: expectAllowed(planDraft(newDraft, catalog)).draft, isNew: true };
  }
  const { draft } = expectAllowed(findDraft(catalog, version));
  const isOther =
    newDraft !== undefined &&
    (newDraft.buildNumber !== draft.buildNumber ||
      newDraft.channel !== draft.channel ||
      newDraft.appVersion !== draft.appVersion);
  if (!isOther) return { draft, isNew: false };
  const name = draft.appVersion === undefined ? "" : `, app version ${draft.appVersion}`;
  throw new CommandError(
    `There is a draft ${version} with build ${draft.buildNumber}, channel ${draft.channel}${name}: leave --build, --channel and --app-version out, or discard it with \`trellis release discard ${version}\``,
  );
}

function toRequest(
  version: string,
  file: EnteredFile,
  urlBase: string,
  { signed, minisign, sparkle }: Options,
): NewArtifact {
  const { path, name, platform, architecture, isSigned, signaturePath } = file;
  const url = `${urlBase}/${encodeURIComponent(name)}`;
  const distribution = file.distribution ?? (platform === "android" ? "direct" : undefined);
  const aimed = { platform, architecture, url, ...(distribution && { distribution }) };
  // The feeds say which files their updaters install.
  const asArtifact = { ...aimed, fileName: name, signed: false, sha256: "", size: 1 };
  return {
    ...aimed,
    version,
    path,
    signed: isSigned ?? (signed && CODE_SIGNED.has(platform)),
    ...(signaturePath !== undefined
      ? { minisign: { kind: "given", value: signaturePath } }
      : minisign && explainTauriFile(asArtifact) !== undefined && { minisign: SIGN }),
    ...(sparkle && explainAppcastFile(asArtifact) !== undefined && { sparkle: SIGN }),
  };
}

const SIGN = { kind: "sign" } as const;
const CODE_SIGNED: ReadonlySet<string> = new Set(["windows", "macos", "android", "ios"]);

function warnUnsigned(files: readonly EnteredFile[], isSaid: boolean): string[] {
  return files
    .filter(({ isSigned }) => isSaid && isSigned === false)
    .map(({ name }) => `"${name}" has no code signature, although --signed says that it has one`);
}

interface Result {
  readonly version: string;
  readonly created: boolean;
  readonly files: readonly {
    readonly kind: string;
    readonly change: AddedArtifact["change"];
    readonly artifact: AddedArtifact["artifact"];
  }[];
  readonly skipped: readonly SkippedFile[];
}

const CHANGES = { added: "new", replaced: "changed", unchanged: "the same" } as const;

function describeFiles({ files, skipped }: Result): string[] {
  const rows = files.map(({ kind, change, artifact }) => [
    artifact.fileName,
    `${artifact.platform}/${artifact.architecture}`,
    kind,
    formatFileSize(artifact.size ?? 0),
    Object.keys(artifact.signatures ?? {}).join(", ") || "-",
    CHANGES[change],
  ]);
  return [
    ...formatTable([["FILE", "FOR", "KIND", "SIZE", "SIGNATURES", "IN THE DRAFT"], ...rows]),
    ...skipped.map(({ path, reason }) => `Left out: ${path} (${reason})`),
  ];
}

/** Null when the draft has everything already. */
function describeChange({ version, created, files }: Result): string | null {
  const count = (change: AddedArtifact["change"]) =>
    files.filter((file) => file.change === change).length;
  const parts = [
    created ? `creates the draft ${version}` : "",
    count("added") > 0 ? `adds ${formatCount(count("added"), "file")}` : "",
    count("replaced") > 0 ? `replaces ${formatCount(count("replaced"), "file")} that changed` : "",
  ].filter((part) => part !== "");
  if (parts.length === 0) return null;
  return `${parts.join(" and ")}${created ? "" : ` in the draft ${version}`}`;
}
