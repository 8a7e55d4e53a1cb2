import { publishingError } from "../../../release/publishing/change-catalog.ts";
import { matchFolder, matchPaths } from "../../../release/publishing/match-files.ts";
import { planUpload, type PlannedFile } from "../../../release/publishing/plan-upload.ts";
import type { NewObject, ObjectStorage } from "../../../backup/storage/object-storage.ts";
import { openObjectStorage } from "../../../release/publishing/open-storage.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  UsageError,
  type CommandContext,
  type StoreContext,
} from "../../command.ts";
import { formatCount, formatFileSize } from "../../format.ts";
import { confirmPlan, PLAN_OPTIONS, type PlanContext } from "../../prompts.ts";
import { clearProgress, showByteProgress } from "../../progress.ts";
import {
  expectAllowed,
  expectKnownRelease,
  readConfiguredCatalog,
  toCommandError,
} from "./catalog-context.ts";
import { parseIfGiven, parseHttpsUrl, parseVersionOption } from "./parse-options.ts";

export const command = defineCommand({
  description:
    "Uploads the artifacts and pictures of a release to where the addresses in the catalogue point. The path of an address after its host, or after --served-at, becomes the key below --to. Every file must be the one that was added: its SHA-256 is compared before the upload, and the server checks it again. Credentials come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION.",
  arguments: {
    version: { description: "The draft or the published release", required: true },
    files: { description: "The built files (default: those of --from)", multiple: true },
  },
  options: {
    to: option("STORAGE", "s3://bucket/prefix, or file:/path/of/a/folder", { required: true }),
    from: option("FOLDER", "The folder with the built files, searched with its subfolders"),
    "served-at": option("URL", "The public address of --to (default: the root of the host)"),
    endpoint: option(
      "URL",
      "The S3 server, for R2, MinIO and others (default: AWS_ENDPOINT_URL_S3, or Amazon)",
    ),
    "virtual-host": flag("Name the bucket in the host of the endpoint, not in the path"),
    replace: flag("Replace existing files that have other content"),
    ...PLAN_OPTIONS,
  },
  examples: [
    "trellis release upload 2.1.0 --from build --to s3://downloads",
    "trellis release upload 2.1.0 --from build --to file:/srv/downloads --dry-run",
    "trellis release upload 2.1.0 build/habits.exe --to s3://files/habits --endpoint https://minio.example.com",
  ],
  async run(context) {
    const { args, options } = context;
    const version = parseVersionOption("VERSION", args.version);
    const servedAt = parseIfGiven("--served-at", options["served-at"], parseHttpsUrl);
    if (args.files.length > 0 === (options.from !== undefined)) {
      throw new UsageError("Name the built files, or give their folder with --from");
    }
    const opened = openObjectStorage(options.to, {
      endpoint: options.endpoint,
      isVirtualHost: options["virtual-host"],
      env: context.terminal.env,
    });
    if (opened.kind === "invalid") throw new UsageError(opened.message);
    const { storage } = opened;
    const { files: planned, isDraft } = await planConfigured(context, version, servedAt);
    const onHash = showByteProgress(context, "Hashing");
    const matched =
      options.from === undefined
        ? await matchPaths(planned, args.files, onHash)
        : await matchFolder(planned, options.from, onHash);
    clearProgress(context);
    const objects = expectAllowed(matched).matches.map(({ file, path }) => ({ ...file, path }));
    if (options["dry-run"]) {
      const files = objects.map((object) => ({ ...describe(object, storage), result: "planned" }));
      context.print(...files.map(({ path, address, url }) => `${path} → ${address} (${url})`));
      context.json({ version, files });
      return;
    }
    const files = await uploadAbsent(context, objects, storage, options.replace);
    if (isDraft) {
      context.print(`Next: publish it with \`trellis release publish ${version} --check-urls\``);
    }
    context.json({ version, files });
  },
});

interface UploadObject extends NewObject {
  readonly url: string;
}

function describe({ path, url, size, sha256, key }: UploadObject, storage: ObjectStorage) {
  return { path, url, address: storage.addressOf(key), size, sha256 };
}

async function planConfigured(
  context: StoreContext,
  version: string,
  servedAt: string | undefined,
): Promise<{ readonly files: readonly PlannedFile[]; readonly isDraft: boolean }> {
  const release = expectKnownRelease(await readConfiguredCatalog(context), version);
  if (release.status === "withdrawn") {
    throw toCommandError(publishingError(`Release ${version} was withdrawn: nothing was uploaded`));
  }
  const base = servedAt === undefined ? null : new URL(servedAt);
  const { files } = expectAllowed(planUpload(release, base));
  return { files, isDraft: release.status === "draft" };
}

async function uploadAbsent(
  context: PlanContext & Pick<CommandContext, "isJson">,
  objects: readonly UploadObject[],
  storage: ObjectStorage,
  isReplacing: boolean,
) {
  const absent = await selectAbsent(context, objects, storage, isReplacing);
  const files = [];
  for (const object of objects) {
    const isPresent = !absent.has(object);
    const address = storage.addressOf(object.key);
    if (!isPresent) await upload(context, object, storage, isReplacing);
    context.print(
      isPresent
        ? `Already there: ${address}`
        : `Uploaded ${address}: ${formatFileSize(object.size)}`,
    );
    files.push({ ...describe(object, storage), result: isPresent ? "skipped" : "uploaded" });
  }
  return files;
}

/** Selects the files to upload. All files are compared before the first one is sent. */
async function selectAbsent(
  context: PlanContext,
  objects: readonly UploadObject[],
  storage: ObjectStorage,
  isReplacing: boolean,
): Promise<ReadonlySet<UploadObject>> {
  const absent = new Set<UploadObject>();
  const different: string[] = [];
  for (const object of objects) {
    const compared = await storage.compare(object);
    if (compared.kind === "failed") throw new CommandError(compared.message);
    if (compared.kind !== "equal") absent.add(object);
    if (compared.kind === "different") different.push(storage.addressOf(object.key));
  }
  if (different.length === 0) return absent;
  if (isReplacing) {
    await confirmPlan(context, {
      consequence: `This replaces ${formatCount(different.length, "file")} in the storage for good`,
      details: [
        ...different.map((address) => `  ${address}`),
        "Apps that know a published file refuse another one at its address",
      ],
      plan: { replaced: different },
    });
    return absent;
  }
  throw new CommandError(
    [
      "Nothing was uploaded, because other files are there already",
      ...different.map((address) => `  ${address}`),
      "  Apps that know a published file refuse another one at its address: enter other addresses, or replace files that were never published with --replace",
    ],
    { different },
  );
}

async function upload(
  context: Pick<CommandContext, "isJson" | "terminal">,
  object: UploadObject,
  storage: ObjectStorage,
  isReplacing: boolean,
): Promise<void> {
  const name = object.key.split("/").at(-1) ?? "";
  const onProgress = showByteProgress(context, `Uploading ${name}`);
  const result = await storage.put(object, { isReplacing, ...(onProgress && { onProgress }) });
  clearProgress(context);
  if (result.kind === "failed") throw new CommandError(result.message);
  if (result.kind === "exists") {
    throw new CommandError(
      `another program uploaded ${storage.addressOf(object.key)} at the same time: run the command again`,
    );
  }
}
