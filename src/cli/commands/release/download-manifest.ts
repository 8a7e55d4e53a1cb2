import { MAX_MANIFEST_BYTES } from "../../../contract/release/values.ts";
import { fetchBoundedText } from "../../../http/fetch-text.ts";
import { CommandError } from "../../command.ts";

/** The address of a manifest, or of a service or a static export that has one. */
export function manifestUrl(text: string): URL {
  const url = new URL(text);
  const last = url.pathname.split("/").at(-1) ?? "";
  if (last === "manifest" || last.endsWith(".json")) return url;
  url.pathname = `${url.pathname.replace(/\/$/, "")}/api/v1/manifest`;
  return url;
}

export async function downloadManifest(url: URL): Promise<string> {
  const result = await fetchBoundedText(url, MAX_MANIFEST_BYTES);
  switch (result.kind) {
    case "fetched":
      return result.text;
    case "status":
      throw new CommandError(
        `${url.href} responded with status ${result.status}: check the address`,
      );
    case "too-large":
      throw new CommandError(
        `${url.href} sends more than ${result.maxBytes} bytes: this is not a manifest`,
      );
    case "unreachable":
      throw new CommandError(`Cannot fetch ${url.href}: ${result.reason}`);
  }
}
