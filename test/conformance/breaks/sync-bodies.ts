import {
  changeResponse,
  pathOf,
  changeOk,
  ignoreHeader,
  readAnswer,
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
    answer: (exchange, { honest }) =>
      honest(withRequestHeader(exchange, "content-type", "application/json")),
  },
  {
    name: "takes JSON only by its bare name",
    caughtBy: ["json-may-name-its-charset"],
    answer: changeResponse(
      (_answer, { header }) => header("content-type")?.includes(";") === true,
      (answer) => errorLike(answer, "unsupported_media_type"),
    ),
  },
  {
    name: "does not look at the content encoding",
    caughtBy: ["encoded-bodies-are-refused"],
    answer: ignoreHeader("content-encoding"),
  },
  {
    name: "takes bodies over its limit",
    caughtBy: ["bodies-over-the-limit-are-413"],
    options: { limits: { maxBodyBytes: 4_194_304 } },
    answer: changeOk<{ sync: Body }>("/v1/capabilities", ({ sync }) => {
      sync["maximumBodyBytes"] = 262_144;
    }),
  },
  {
    name: "believes what a body says about its length",
    caughtBy: ["bodies-over-the-limit-are-413"],
    options: { limits: { maxBodyBytes: 4_194_304 } },
    answer: async (exchange, { honest }) => {
      const answer = await honest(exchange);
      if (answer.status === 200 && pathOf(exchange) === "/v1/capabilities") {
        const body = JSON.parse(await readAnswer(answer)) as { sync: Body };
        body.sync["maximumBodyBytes"] = 262_144;
        const text = JSON.stringify(body);
        const length = String(Buffer.byteLength(text));
        return { ...answer, headers: { ...answer.headers, "Content-Length": length }, body: text };
      }
      const length = Number(exchange.header("content-length") ?? 0);
      return length > 262_144 ? errorLike(answer, "payload_too_large") : answer;
    },
  },
  {
    name: "refuses a body of exactly the limit",
    caughtBy: ["bodies-over-the-limit-are-413"],
    answer: changeResponse(
      (_answer, { header }) => Number(header("content-length") ?? 0) >= 262_144,
      (answer) => errorLike(answer, "payload_too_large"),
    ),
  },
  {
    name: "reads no body as an empty object",
    caughtBy: ["unparsable-bodies-are-invalid-json"],
    answer: async (exchange, { honest }) => {
      if (exchange.method !== "POST") return honest(exchange);
      const text = await readText(exchange);
      return honest(withText(exchange, text.trim() === "" ? "{}" : text));
    },
  },
  {
    name: "says of a list that it is no JSON",
    caughtBy: ["bodies-must-be-objects"],
    answer: async (exchange, { honest }) => {
      if (exchange.method !== "POST") return honest(exchange);
      const text = await readText(exchange);
      return honest(withText(exchange, text.startsWith("[") ? "[" : text));
    },
  },
  {
    name: "ignores members that it does not know",
    caughtBy: [
      "unknown-members-are-refused",
      "mistyped-completions-consume-nothing",
      "mistyped-redemptions-burn-nothing",
    ],
    answer: changeBody(null, ({ extra: _extra, ...body }) => body),
  },
  {
    name: "turns numbers into text",
    caughtBy: ["members-are-checked"],
    answer: changeBody(null, (body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value === "number" ? String(value) : value,
        ]),
      ),
    ),
  },
];
