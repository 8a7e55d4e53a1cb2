/** The settings of an instance, as options of the commands that write them. */
import type { InstanceSettings } from "../../../../configuration/configuration-schema.ts";
import { SYNC_PROFILES } from "../../../../contract/sync/operation-limits.ts";
import { option, UsageError, type ValuesOf } from "../../../command.ts";
import { parseChoice } from "../../release/parse-options.ts";

export const INSTANCE_OPTIONS = {
  "display-name": option("TEXT", "The name on the sign-in page (default: that of `sync`)"),
  "redirect-uri": option("URI", "A redirect URI of the app, to which a sign-in may return", {
    multiple: true,
  }),
  "cors-origin": option("ORIGIN", "The origin of a web app that may sync", {
    multiple: true,
  }),
  profile: option(
    "NAME",
    "Which entities are accepted: `habits`, `open` or `sealed` (default: that of `sync`)",
  ),
  "quota-bytes": option("N", "The size at which the store refuses pushes, or `none`"),
  "quota-devices": option("N", "How many devices may be signed in, or `none`"),
} as const;

/** The settings with those that the options name replaced. */
export function applyOptions(
  before: InstanceSettings,
  options: ValuesOf<typeof INSTANCE_OPTIONS> & { readonly "base-url"?: string | undefined },
): InstanceSettings {
  const { "base-url": baseUrl, "display-name": displayName } = options;
  const quota = {
    ...before.quota,
    ...readQuota("bytes", options["quota-bytes"]),
    ...readQuota("devices", options["quota-devices"]),
  };
  const changed = {
    ...before,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(displayName !== undefined && { displayName }),
    ...(options["redirect-uri"].length > 0 && { redirectUris: options["redirect-uri"] }),
    ...(options["cors-origin"].length > 0 && { corsOrigins: options["cors-origin"] }),
    ...(options.profile !== undefined && {
      profile: parseChoice("--profile", options.profile, SYNC_PROFILES),
    }),
    quota,
  };
  // What was taken back by `none` is undefined, which a file does not have.
  return JSON.parse(JSON.stringify(changed)) as InstanceSettings;
}

function readQuota(name: "bytes" | "devices", text: string | undefined) {
  if (text === undefined) return {};
  if (text === "none") return { [name]: undefined };
  if (/^[1-9]\d{0,14}$/.test(text)) return { [name]: Number(text) };
  throw new UsageError(`--quota-${name} must be a number such as 10 or \`none\`, not "${text}"`);
}
