/**
 * The service's own update decision. It is not signed: anyone between the app and the service can
 * write it. It may make an app look sooner; only a check of the manifest may make it install.
 */
import type { UpdateCoordinate } from "../../contract/release/schemas.ts";
import { DEFAULT_CHANNEL } from "../../contract/release/values.ts";
import { isVersion } from "../../rules/release/version.ts";
import { fetchText, type TransportError } from "./fetch-text.ts";
import type { UpdateSettings } from "./settings.ts";

/** A decision is a few hundred bytes. */
const MAX_HINT_BYTES = 16 * 1024;

/** Left out on purpose: where to download. An address that nobody signed is not an update. */
export interface UpdateHint {
  readonly signed: false;
  readonly updateAvailable: boolean;
  readonly mandatory: boolean;
  readonly target: UpdateCoordinate;
}

export type HintResult =
  | { readonly kind: "hint"; readonly hint: UpdateHint }
  | { readonly kind: "no-hint"; readonly problem: TransportError };

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
  const answer = await fetchText(settings.fetch, {
    url: `${baseUrl}/api/v1/update/${platform}?${query}`,
    maxBytes: MAX_HINT_BYTES,
    timeoutMs: limits.timeoutMs,
    signal,
  });
  if (answer.kind === "not-modified") {
    return { kind: "no-hint", problem: { kind: "http-status", status: 304 } };
  }
  if (answer.kind !== "text") return { kind: "no-hint", problem: answer };
  const hint = readHint(answer.text);
  return hint === null
    ? { kind: "no-hint", problem: { kind: "malformed-answer", detail: "not an update decision" } }
    : { kind: "hint", hint };
}

function readHint(text: string): UpdateHint | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const { updateAvailable, mandatory, target } = value;
  return typeof updateAvailable === "boolean" &&
    typeof mandatory === "boolean" &&
    isCoordinate(target)
    ? { signed: false, updateAvailable, mandatory, target }
    : null;
}

function isCoordinate(value: unknown): value is UpdateCoordinate {
  if (!isRecord(value)) return false;
  const { version, buildNumber } = value;
  return typeof version === "string" && isVersion(version) && Number.isSafeInteger(buildNumber);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
