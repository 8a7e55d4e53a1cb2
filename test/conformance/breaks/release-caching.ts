import { randomUUID } from "node:crypto";
import {
  changeResponse,
  changeRequest,
  isOk,
  withHeader,
  withoutHeader,
  withStatus,
  type ReleaseBreak,
} from "./break.ts";

const VALIDATED = /^\/api\/v1\/(?:manifest|releases)/;

export const BREAKS_OF_CACHING: readonly ReleaseBreak[] = [
  {
    name: "lets caches keep the list for a day",
    caughtBy: ["current-answers-are-kept-for-minutes"],
    respond: changeResponse(isOk(/^\/api\/v1\/releases$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=86400"),
    ),
  },
  {
    name: "calls the latest release immutable",
    caughtBy: ["current-answers-are-kept-for-minutes"],
    respond: changeResponse(isOk(/\/latest$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=86400, s-maxage=31536000, immutable"),
    ),
  },
  {
    name: "lets caches keep a concrete release for minutes only",
    caughtBy: ["published-releases-are-immutable"],
    respond: changeResponse(isOk(/\/downloads$/), (response) =>
      withHeader(response, "Cache-Control", "public, max-age=60, s-maxage=300"),
    ),
  },
  {
    name: "changes the ETag with every request",
    caughtBy: ["etags-are-strong-and-stable"],
    respond: changeResponse(isOk(VALIDATED), (response) =>
      withHeader(response, "ETag", `"${randomUUID()}"`),
    ),
  },
  {
    name: "gives weak ETags",
    caughtBy: ["etags-are-strong-and-stable"],
    respond: changeResponse(isOk(VALIDATED), (response) =>
      withHeader(response, "ETag", `W/${response.headers["ETag"]}`),
    ),
  },
  {
    name: "gives every resource the same ETag",
    caughtBy: ["etags-are-strong-and-stable"],
    respond: changeResponse(isOk(VALIDATED), (response) => withHeader(response, "ETag", '"1"')),
  },
  {
    name: "never sends 304",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeRequest((request) => ({ ...request, header: () => null })),
  },
  {
    name: "understands one validator but no list of them",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeRequest((request) => ({
      ...request,
      header: (name) => {
        const value = request.header(name);
        return name === "if-none-match" && value?.includes(",") === true ? null : value;
      },
    })),
  },
  {
    name: "sends 304 without the ETag",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeResponse(
      ({ status }) => status === 304,
      (response) => withoutHeader(response, "ETag"),
    ),
  },
  {
    name: "sends 304 with another Cache-Control",
    caughtBy: ["if-none-match-answers-304"],
    respond: changeResponse(
      ({ status }) => status === 304,
      (response) => withHeader(response, "Cache-Control", "no-cache"),
    ),
  },
  {
    name: "sends 304 whatever the validator is",
    caughtBy: ["another-validator-answers-200"],
    respond: changeResponse(
      ({ status }, { header }) => status === 200 && header("if-none-match") !== null,
      (response) => ({ ...withStatus(response, 304), body: null }),
    ),
  },
];
