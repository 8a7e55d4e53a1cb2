import {
  changeResponse,
  pathOf,
  changeOk,
  ignoreHeader,
  ignoreUnexpectedBodies,
  readResponseBody,
  readText,
  withRequestHeader,
  withText,
  type Body,
} from "./break.ts";
import { changeBody, errorLike, type SyncBreak } from "./sync-break.ts";

export const SYNC_BREAKS_OF_BODIES: readonly SyncBreak[] = [
  {
    name: "takes any content type for JSON",
    caughtBy: ["bodies-must-be-json", "checks-run-in-order"],
    respond: (request, { real }) =>
      real(withRequestHeader(request, "content-type", "application/json")),
  },
  {
    name: "takes JSON only by its bare name",
    caughtBy: ["json-may-name-its-charset"],
    respond: changeResponse(
      (_response, { header }) => header("content-type")?.includes(";") === true,
      (response) => errorLike(response, "unsupported_media_type"),
    ),
  },
  {
    name: "does not look at the content encoding",
    caughtBy: ["encoded-bodies-are-refused"],
    respond: ignoreHeader("content-encoding"),
  },
  {
    name: "takes bodies over its limit",
    caughtBy: ["bodies-over-the-limit-are-413"],
    options: { limits: { maxBodyBytes: 4_194_304 } },
    respond: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
      sync["maximumBodyBytes"] = 262_144;
    }),
  },
  {
    name: "takes bodies of strangers up to the limit of a push",
    caughtBy: ["bodies-over-the-limit-are-413"],
    options: { limits: { maxBodyBytes: 1_048_576 } },
    respond: changeResponse(
      ({ status }, request) => status === 413 && pathOf(request) === "/v1/refresh",
      (response) => errorLike(response, "invalid_refresh_token"),
    ),
  },
  {
    name: "believes what a body says about its length",
    caughtBy: ["bodies-over-the-limit-are-413"],
    options: { limits: { maxBodyBytes: 4_194_304 } },
    respond: async (request, { real }) => {
      const response = await real(request);
      if (response.status === 200 && pathOf(request) === "/v1/capabilities") {
        const body = JSON.parse(await readResponseBody(response)) as { sync: Body };
        body.sync["maximumBodyBytes"] = 262_144;
        const text = JSON.stringify(body);
        const length = String(Buffer.byteLength(text));
        return {
          ...response,
          headers: { ...response.headers, "Content-Length": length },
          body: text,
        };
      }
      const length = Number(request.header("content-length") ?? 0);
      return length > 262_144 ? errorLike(response, "payload_too_large") : response;
    },
  },
  {
    name: "refuses a body of exactly the limit",
    caughtBy: ["bodies-over-the-limit-are-413"],
    respond: changeResponse(
      (_response, { header }) => Number(header("content-length") ?? 0) >= 262_144,
      (response) => errorLike(response, "payload_too_large"),
    ),
  },
  {
    name: "takes the last of two members with one name",
    caughtBy: ["repeated-members-are-invalid-json"],
    respond: changeBody(null, (body) => body),
  },
  {
    name: "skips a byte order mark",
    caughtBy: ["byte-order-marks-are-invalid-json"],
    respond: async (request, { real }) => {
      if (request.method !== "POST") return real(request);
      return real(withText(request, (await readText(request)).replace(/^\ufeff/, "")));
    },
  },
  {
    name: "does not look at the charset",
    caughtBy: ["other-charsets-are-refused"],
    respond: (request, { real }) => {
      const [type = ""] = (request.header("content-type") ?? "").split(";");
      return real(type === "" ? request : withRequestHeader(request, "content-type", type));
    },
  },
  {
    name: "takes no notice of a body where none belongs",
    caughtBy: ["unexpected-bodies-are-refused"],
    respond: ignoreUnexpectedBodies,
  },
  {
    name: "reads no body as an empty object",
    caughtBy: ["unparsable-bodies-are-invalid-json"],
    respond: async (request, { real }) => {
      if (request.method !== "POST") return real(request);
      const text = await readText(request);
      return real(withText(request, text.trim() === "" ? "{}" : text));
    },
  },
  {
    name: "says of a list that it is not JSON",
    caughtBy: ["bodies-must-be-objects"],
    respond: async (request, { real }) => {
      if (request.method !== "POST") return real(request);
      const text = await readText(request);
      return real(withText(request, text.startsWith("[") ? "[" : text));
    },
  },
  {
    name: "ignores members that it does not know",
    caughtBy: [
      "unknown-members-are-refused",
      "mistyped-completions-consume-nothing",
      "mistyped-redemptions-burn-nothing",
    ],
    respond: changeBody(null, ({ extra: _extra, ...body }) => body),
  },
  {
    name: "turns numbers into text",
    caughtBy: ["members-are-checked"],
    respond: changeBody(null, (body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value === "number" ? String(value) : value,
        ]),
      ),
    ),
  },
];
