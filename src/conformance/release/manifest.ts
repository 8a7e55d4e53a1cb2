/** The signed manifest of the server under test, as far as a case needs it opened. */
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { NotTestable, ViolationError } from "../case.ts";
import { violate } from "../expect.ts";
import type { HttpResponse } from "../http.ts";
import { expectEnvelope, manifestPayload } from "./bodies.ts";
import type { ReleaseTarget } from "./target.ts";

/** The answer with the envelope; not testable when the server has no manifest loaded. */
export async function fetchManifest(target: ReleaseTarget): Promise<HttpResponse> {
  const answer = await target.api.get("/api/v1/manifest");
  if (answer.status === 503) {
    throw new NotTestable("The server has no signed manifest loaded; sign one and run again");
  }
  return answer;
}

/** The decoded payload, whoever signed it: its signature is the subject of a case of its own. */
export function readPayload(answer: HttpResponse): ManifestPayload {
  const bytes = Buffer.from(expectEnvelope(answer).payload, "base64url");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return violate(answer.asked, "a payload of UTF-8 JSON", "other bytes");
  }
  if (manifestPayload.is(value)) return value;
  throw new ViolationError(
    manifestPayload.faults(value).map(({ path, problem }) => ({
      asked: answer.asked,
      expected: "a payload of the declared shape",
      received: `one in which ${path === "" ? "the whole" : path} ${problem}`,
    })),
  );
}
