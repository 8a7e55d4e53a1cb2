/** Recognises that another service responds at the address of a manifest, before the signature is judged. */
import { isLoopback } from "../../../contract/loopback.ts";
import { isObject } from "../../../contract/is-object.ts";
import type { KeyRing } from "../../../contract/release/catalog.ts";
import type { ManifestExplanation } from "../../../release/catalog/explain-manifest.ts";
import { parseJson } from "../../../rules/parse-json.ts";
import { findPortHolder } from "../../find-port-holder.ts";

/** What the error is judged against; without a product any is expected. */
interface Expected {
  readonly keys: KeyRing;
  readonly product: string | undefined;
}

/**
 * Null when the manifest names the expected product and a key of the ring, so that its signature decides. What it
 * names is not verified, and only chooses the words of an error.
 */
export function explainOtherService(
  envelopeText: string,
  { keys, product }: Expected,
): ManifestExplanation | null {
  const remedy = "check the address and the port";
  const envelope = parseJson(envelopeText);
  const keyId = isObject(envelope) ? envelope["keyId"] : undefined;
  if (!isObject(envelope) || typeof keyId !== "string") {
    return { problem: "is no signed manifest: another service responds here", remedy };
  }
  const named = readProduct(envelope["payload"]);
  if (product !== undefined && named !== undefined && named !== product) {
    const problem = `is of the product "${named.slice(0, MAX_SHOWN)}", not "${product}": another service responds here`;
    return { problem, remedy };
  }
  if (Object.hasOwn(keys, keyId)) return null;
  const known = Object.keys(keys).map((id) => `"${id}"`);
  if (known.length === 0) return null;
  return {
    problem: `is signed with the key "${keyId.slice(0, MAX_SHOWN)}", and the key ring has ${known.join(", ")}: another service responds here, or the key was replaced`,
    remedy: `${remedy}; if the key is yours, add its public key to the ring; if it is not, a thief may serve this manifest: see docs/guides/lost-or-stolen.md`,
  };
}

/** A stranger chose these texts. */
const MAX_SHOWN = 40;

function readProduct(payload: unknown): string | undefined {
  if (typeof payload !== "string") return undefined;
  const content = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  const product = isObject(content) ? content["product"] : undefined;
  return typeof product === "string" ? product : undefined;
}

/** The end of an error's remedy: which program of this machine responds at the address. */
export function nameListener(url: URL): string {
  const { hostname, port } = url;
  const holder = isLoopback(hostname) && port !== "" ? findPortHolder(Number(port)) : null;
  return holder === null ? "" : `; ${holder} listens at port ${port}`;
}
