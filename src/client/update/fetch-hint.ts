/** The service's unsigned update decision: a reason to check the manifest sooner, never to install. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../rules/parse-json.ts";
import type { UpdateCoordinate } from "../../contract/release/schemas.ts";
import { DEFAULT_CHANNEL } from "../../contract/release/values.ts";
import { isVersion } from "../../rules/release/version.ts";
import { fetchText, type TransportError } from "./fetch-text.ts";
import type { UpdateSettings } from "./settings.ts";

/** A decision is a few hundred bytes. */
const MAX_HINT_BYTES = 16 * 1024;

/** A hint leaves out the address of the download, which is not signed either. */
export interface UpdateHint {
  /** Always false: show the hint, and install nothing because of it. */
  readonly signed: false;
  /** Whether the server has a newer release. */
  readonly updateAvailable: boolean;
  /** Whether the server calls that release mandatory. */
  readonly mandatory: boolean;
  /** The version and build of that release. */
  readonly target: UpdateCoordinate;
}

/** What the unsigned hint of a server came to. A hint is only a reason to check. */
export type HintResult =
  | { readonly kind: "hint"; readonly hint: UpdateHint }
  | { readonly kind: "no-hint"; readonly error: TransportError };

export async function fetchHint(
  settings: UpdateSettings,
  signal?: AbortSignal,
): Promise<HintResult> {
  const { baseUrl, platform, current, channel, limits } = settings;
  const query = new URLSearchParams({
    version: current.version,
    build: String(current.buildNumber),
    ...(channel === DEFAULT_CHANNEL ? {} : { channel }),
  });
  const response = await fetchText(settings.fetch, {
    url: `${baseUrl}/api/v1/update/${platform}?${query}`,
    maxBytes: MAX_HINT_BYTES,
    timeoutMs: limits.timeoutMs,
    signal,
  });
  if (response.kind !== "text") return { kind: "no-hint", error: response };
  const hint = readHint(response.text);
  return hint === null
    ? { kind: "no-hint", error: { kind: "malformed-response", detail: "not an update decision" } }
    : { kind: "hint", hint };
}

function readHint(text: string): UpdateHint | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const { updateAvailable, mandatory, target } = value;
  return typeof updateAvailable === "boolean" &&
    typeof mandatory === "boolean" &&
    isCoordinate(target)
    ? { signed: false, updateAvailable, mandatory, target }
    : null;
}

function isCoordinate(value: unknown): value is UpdateCoordinate {
  if (!isObject(value)) return false;
  const { version, buildNumber } = value;
  return typeof version === "string" && isVersion(version) && Number.isSafeInteger(buildNumber);
}
