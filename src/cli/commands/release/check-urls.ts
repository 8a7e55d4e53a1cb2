/** Checks before a publication that every address of the draft serves a file of the right size. */
import type { SourceRelease } from "../../../contract/release/catalog.ts";
import { checkDownloads, type Download } from "../../../operate/served/check-downloads.ts";
import {
  CommandError,
  flag,
  UsageError,
  type CommandContext,
  type StoreContext,
} from "../../command.ts";
import { formatCount } from "../../format.ts";
import { clearProgress, showProgress } from "../../progress.ts";
import { readDraft } from "./catalog-context.ts";

export const CHECK_URLS_OPTIONS = {
  "check-urls": flag("Check every download address before publishing (default at a terminal)"),
  "no-check-urls": flag("Publish without checking the download addresses"),
} as const;

type Context = StoreContext &
  Pick<CommandContext, "isInteractive" | "isJson" | "terminal" | "print"> & {
    readonly options: Readonly<Record<keyof typeof CHECK_URLS_OPTIONS, boolean>>;
  };

/** Fails the command with every address that is wrong. */
export async function checkUrlsIfWanted(context: Context, version: string): Promise<void> {
  const { "check-urls": isWanted, "no-check-urls": isUnwanted } = context.options;
  if (isWanted && isUnwanted) {
    throw new UsageError("Give --check-urls or --no-check-urls, not both");
  }
  if (isUnwanted || (!isWanted && !context.isInteractive)) return;
  const draft = await readDraft(context, version);
  if (draft === undefined) return;
  const downloads = listDownloads(draft);
  const onChecked = showProgress(context, "Checking the download addresses");
  const errors = await checkDownloads(downloads, { ...(onChecked && { onChecked }) });
  clearProgress(context);
  if (errors.length > 0) {
    throw new CommandError(
      [
        `Release ${version} was not published: ${errors.length} of ${formatCount(downloads.length, "address", "addresses")} do not serve what the catalogue says`,
        ...errors.map(({ url, problem, remedy }) => `  ${url} ${problem}; ${remedy}`),
        "Publish without this check with --no-check-urls",
      ],
      { downloads: errors },
    );
  }
  context.print(
    `Checked ${formatCount(downloads.length, "address", "addresses")}: every file is there and has its size`,
  );
}

function listDownloads({ artifacts, media = [] }: SourceRelease): Download[] {
  return [...artifacts, ...media].flatMap(({ url, size }) =>
    url === undefined || size === undefined ? [] : [{ url, size }],
  );
}
