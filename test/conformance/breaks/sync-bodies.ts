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
  toBreaks,
} from "./break.ts";
import { changeBody, errorLike, type SyncBreak } from "./sync-break.ts";

export const SYNC_BREAKS_OF_BODIES = toBreaks<SyncBreak>({
  "bodies-must-be-json, checks-run-in-order": {
    "takes any content type for JSON": (request, { real }) =>
      real(withRequestHeader(request, "content-type", "application/json")),
  },
  "json-may-name-its-charset": {
    "takes JSON only by its bare name": changeResponse(
      (_response, { header }) => header("content-type")?.includes(";") === true,
      (response) => errorLike(response, "unsupported_media_type"),
    ),
  },
  "encoded-bodies-are-refused": {
    "does not look at the content encoding": ignoreHeader("content-encoding"),
  },
  "bodies-over-the-limit-are-413": {
    "takes bodies over its limit": {
      options: { limits: { maxBodyBytes: 4_194_304 } },
      respond: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
        sync["maximumBodyBytes"] = 262_144;
      }),
    },
    "takes bodies of strangers up to the limit of a push": {
      options: { limits: { maxBodyBytes: 1_048_576 } },
      respond: changeResponse(
        ({ status }, request) => status === 413 && pathOf(request) === "/v1/refresh",
        (response) => errorLike(response, "invalid_refresh_token"),
      ),
    },
    "believes what a body says about its length": {
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
    "refuses a body of exactly the limit": changeResponse(
      (_response, { header }) => Number(header("content-length") ?? 0) >= 262_144,
      (response) => errorLike(response, "payload_too_large"),
    ),
  },
  "repeated-members-are-invalid-json": {
    "takes the last of two members with one name": changeBody(null, (body) => body),
  },
  "byte-order-marks-are-invalid-json": {
    "skips a byte order mark": async (request, { real }) => {
      if (request.method !== "POST") return real(request);
      return real(withText(request, (await readText(request)).replace(/^\ufeff/, "")));
    },
  },
  "other-charsets-are-refused": {
    "does not look at the charset": (request, { real }) => {
      const [type = ""] = (request.header("content-type") ?? "").split(";");
      return real(type === "" ? request : withRequestHeader(request, "content-type", type));
    },
  },
  "unexpected-bodies-are-refused": {
    "takes no notice of a body where none belongs": ignoreUnexpectedBodies,
  },
  "unparsable-bodies-are-invalid-json": {
    "reads no body as an empty object": async (request, { real }) => {
      if (request.method !== "POST") return real(request);
      const text = await readText(request);
      return real(withText(request, text.trim() === "" ? "{}" : text));
    },
  },
  "bodies-must-be-objects": {
    "says of a list that it is not JSON": async (request, { real }) => {
      if (request.method !== "POST") return real(request);
      const text = await readText(request);
      return real(withText(request, text.startsWith("[") ? "[" : text));
    },
  },
  "unknown-members-are-refused, mistyped-completions-consume-nothing, mistyped-redemptions-burn-nothing":
    {
      "ignores members that it does not know": changeBody(
        null,
        ({ extra: _extra, ...body }) => body,
      ),
    },
  "members-are-checked": {
    "turns numbers into text": changeBody(null, (body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value === "number" ? String(value) : value,
        ]),
      ),
    ),
  },
});
