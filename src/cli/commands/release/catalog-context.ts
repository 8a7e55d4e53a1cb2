/** What the release commands share: the configured catalogue, its errors, and passphrases of keys. */
import { join } from "node:path";
import type { DraftRelease, SourceRelease } from "../../../contract/release/catalog.ts";
import type { FeedSettings } from "../../../contract/release/feed-values.ts";
import { findPasswordError } from "../../../rules/identity/grammar.ts";
import type { Catalog } from "../../../rules/release/catalog.ts";
import { formatFileError } from "../../../rules/release/catalog-file-error.ts";
import { nodeFiles } from "../../../release/catalog/file-port.ts";
import { createCatalogReader } from "../../../release/catalog/read-catalog.ts";
import {
  explainSystemError,
  findRelease,
  isSystemError,
  readForChange,
  unknownReleaseError,
  type CatalogContext,
  type CatalogState,
  type ChangeResult,
  type PublishingError,
} from "../../../release/publishing/change-catalog.ts";
import { ignorePrivateFiles } from "../../../release/publishing/ignore-private-files.ts";
import type { PassphraseSource } from "../../../release/publishing/key-files.ts";
import { createKeys, type CreatedKeys } from "../../../release/publishing/key-ring.ts";
import { CommandError, type PromptContext, type StoreContext } from "../../command.ts";
import { readSection } from "../../read-section.ts";
import { askNewSecret, askSecret, passwordError, readFirstLine } from "../../secret-input.ts";

/** The wait for the lock is long enough for a queue of build jobs, and short enough for a person. */
const LOCK_WAIT_MS = 30_000;

export interface OpenedCatalogContext extends CatalogContext {
  readonly dataFolder: string;
  /** The configuration file; null when the environment has all settings. */
  readonly configurationFile: string | null;
  readonly keyPassphrase: string | undefined;
  readonly feeds: FeedSettings;
}

export async function openCatalogContext(context: StoreContext): Promise<OpenedCatalogContext> {
  const { configuration, section } = await readSection(context, "release");
  return {
    folder: section.catalog,
    reader: createCatalogReader(section.catalog),
    dataFolder: configuration.dataDir,
    configurationFile: configuration.file,
    keysFolder: join(configuration.dataDir, "keys"),
    files: nodeFiles,
    now: Date.now,
    lockWaitMs: LOCK_WAIT_MS,
    onWait: () => context.warn("Waiting for another trellis process that changes the catalogue"),
    keyPassphrase: section.keyPassphrase,
    feeds: section.feeds,
  };
}

/** Changes the configured catalogue, and returns the result or fails the command. */
export async function changeConfiguredCatalog<T>(
  context: StoreContext & PromptContext,
  change: (
    catalog: OpenedCatalogContext,
    askPassphrase: PassphraseSource,
  ) => Promise<ChangeResult<T>>,
): Promise<T> {
  const catalog = await openCatalogContext(context);
  return expectChanged(await change(catalog, passphraseSource(context, catalog)), context);
}

/** Returns the result of a change or fails the command. */
export function expectChanged<T>(change: ChangeResult<T>, context: StoreContext): T {
  const { notice, result } = expectAllowed(change);
  if (notice !== null) context.warn(notice);
  return result;
}

/** Returns the result or fails the command. */
export function expectAllowed<R extends { readonly kind: string }>(
  result: R | PublishingError,
): Exclude<R, PublishingError> {
  if (result.kind === "refused") throw toCommandError(result as PublishingError);
  return result as Exclude<R, PublishingError>;
}

/** The catalogue and its manifest as the next change would find them. */
export async function readConfiguredState(context: StoreContext): Promise<CatalogState> {
  return expectAllowed(await readForChange(await openCatalogContext(context)));
}

export async function readConfiguredCatalog(context: StoreContext): Promise<Catalog> {
  return (await readConfiguredState(context)).catalog;
}

/** The draft of the version; undefined without one: the change itself tells what is wrong. */
export async function readDraft(
  context: StoreContext,
  version: string,
): Promise<DraftRelease | undefined> {
  const state = await readForChange(await openCatalogContext(context));
  const release = state.kind === "loaded" ? findRelease(state.catalog, version) : undefined;
  return release?.status === "draft" ? release : undefined;
}

/** Fails the command when the catalogue has neither a release nor a draft of this version. */
export function expectKnownRelease(catalog: Catalog, version: string): SourceRelease {
  const release = findRelease(catalog, version);
  if (release !== undefined) return release;
  throw toCommandError(unknownReleaseError(catalog, version, "any"));
}

export function toCommandError({ message, errors, problems }: PublishingError): CommandError {
  const lines = [...errors.map(formatFileError), ...problems].map((line) => `  ${line}`);
  return new CommandError(
    [errors.length === 0 ? message : `${message}:`, ...lines],
    errors.length === 0 ? {} : { errors },
  );
}

/** The passphrase of a signing key: from standard input, the configuration or the terminal. */
export function passphraseSource(
  context: PromptContext,
  { keyPassphrase }: OpenedCatalogContext,
): PassphraseSource {
  const { options, terminal, isInteractive } = context;
  // The first line of standard input is for all keys of a command, because it can be read only once.
  let line: Promise<string> | undefined;
  return async (keyId) => {
    if (options["passphrase-stdin"] === true) return (line ??= readFirstLine(terminal.stdin));
    if (keyPassphrase !== undefined) return keyPassphrase;
    return isInteractive ? askSecret(context, `Passphrase of the signing key ${keyId}`) : undefined;
  };
}

export async function createConfiguredKeys(
  context: StoreContext,
  catalog: OpenedCatalogContext,
  id: string | undefined,
  passphrase: string | undefined,
): Promise<CreatedKeys> {
  keepKeysPrivate(catalog);
  return expectChanged(await createKeys(catalog, id, passphrase), context);
}

/** Keeps the folder of the keys out of version control, before a key is made. */
export function keepKeysPrivate(catalog: OpenedCatalogContext): void {
  const { dataFolder, keysFolder, folder, configurationFile } = catalog;
  keepPrivate(dataFolder, keysFolder, [folder, configurationFile ?? folder], "No key was created");
}

/** Keeps private files out of version control; `otherwise` says what did not happen when this fails. */
export function keepPrivate(
  dataFolder: string,
  keysFolder: string,
  sharedPaths: readonly string[],
  otherwise: string,
): void {
  try {
    ignorePrivateFiles(dataFolder, keysFolder, sharedPaths);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CommandError(`${otherwise}: ${explainSystemError(error)}`);
  }
}

/** What the person should know about the files of new keys. */
export function describeSealing(passphrase: string | undefined): string {
  return passphrase === undefined
    ? "The key files are not encrypted: a copy of one is enough to sign (give a passphrase with --passphrase-stdin)"
    : "The key files are encrypted with your passphrase";
}

/** Reads the passphrase of a new key; undefined leaves the key unencrypted. */
export async function readNewKeyPassphrase(
  context: PromptContext,
  { keyPassphrase }: OpenedCatalogContext,
): Promise<string | undefined> {
  if (context.options["passphrase-stdin"] === true) {
    const line = await readFirstLine(context.terminal.stdin);
    if (line === "") throw new CommandError("The passphrase on standard input is empty");
    return expectPassphrase(line);
  }
  if (keyPassphrase !== undefined) return expectPassphrase(keyPassphrase);
  if (!context.isInteractive) return undefined;
  const question = "Passphrase for the new keys (empty: none)";
  const secret = await askNewSecret(context, question, "passphrase");
  return secret === "" ? undefined : expectPassphrase(secret);
}

/** A new passphrase follows the rule of passwords; a key that exists opens with the passphrase it has. */
function expectPassphrase(passphrase: string): string {
  const error = findPasswordError(passphrase);
  if (error !== null) throw passwordError(error, "passphrase");
  return passphrase;
}
