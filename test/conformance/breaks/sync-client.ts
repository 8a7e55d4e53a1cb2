import type { Operation } from "../../../src/contract/sync/operation.ts";
import { compareRevisions } from "../../../src/rules/sync/operation.ts";
import { changeOk, changeResponse, pathOf, withHeader, type Body } from "./break.ts";
import { changeEvents } from "./sync-changes.ts";
import { changeBody, errorLike, handlePost, okLike, type SyncBreak } from "./sync-break.ts";

interface PulledPage {
  readonly operations: Operation[];
  readonly requiresSnapshot: boolean;
}

const PULL = "/v1/pull";

/** Changes the operations of every page. */
const changePages = (change: (operations: Operation[]) => Operation[]) =>
  changeOk<PulledPage>(PULL, (page) => ({
    ...page,
    operations: change(page.operations),
  }));

/** What the sync client meets; each break is caught when only the named cases run. */
export const SYNC_BREAKS_OF_THE_CLIENT: readonly SyncBreak[] = [
  {
    name: "redeems no code",
    caughtBy: ["client-signs-in"],
    respond: changeBody("/v1/token", (body) => ({ ...body, codeVerifier: "x".repeat(64) })),
  },
  {
    name: "returns a refresh token that it does not take",
    caughtBy: ["client-refreshes-its-tokens"],
    respond: changeOk<{ refreshToken: string }>("/v1/refresh", (tokens) => ({
      ...tokens,
      refreshToken: `${tokens.refreshToken.slice(0, -4)}AAAA`,
    })),
  },
  {
    name: "takes every refresh token once",
    caughtBy: ["client-outlives-a-lost-refresh"],
    createResponder() {
      const used = new Set<unknown>();
      return handlePost("/v1/refresh", async (body, ask) => {
        const { refreshToken } = body;
        const isUsed = used.has(refreshToken);
        used.add(refreshToken);
        return ask(isUsed ? { ...body, refreshToken: `trs_rt_${"A".repeat(43)}` } : body);
      });
    },
  },
  {
    name: "revokes no device",
    caughtBy: ["client-keeps-its-edits-when-its-session-ends"],
    respond: (request, { real }) =>
      real(
        request.method === "DELETE" && pathOf(request) === "/v1/device"
          ? { ...request, method: "GET" }
          : request,
      ),
  },
  {
    name: "says that it ended a session, and does not",
    caughtBy: ["client-signs-out"],
    respond: handlePost("/v1/revoke", async (_body, _ask, request, real) =>
      okLike(await real({ ...request, method: "GET", target: "/v1/health" }), { revoked: 1 }),
    ),
  },
  {
    name: "sends no deletions",
    caughtBy: ["client-pushes-and-pulls"],
    respond: changePages((operations) => operations.filter(({ kind }) => kind !== "delete")),
  },
  {
    name: "has another state than its log",
    caughtBy: ["client-merges-with-another-device"],
    respond: changeOk<{ entities: { payloadFields: Record<string, Body> }[] }>(
      "/v1/snapshot",
      ({ entities }) => {
        for (const { payloadFields } of entities) {
          if (payloadFields["icon"] !== undefined) payloadFields["icon"]["value"] = "check";
        }
      },
    ),
  },
  {
    name: "sends only the greater of two creates",
    caughtBy: ["client-keeps-the-fields-of-two-creates"],
    createResponder: () => {
      const pushed: Operation[] = [];
      const isReplaced = ({ kind, document, revision }: Operation) =>
        kind === "create" &&
        pushed.some(
          (other) =>
            other.kind === kind &&
            other.document.entityId === document.entityId &&
            compareRevisions(other.revision, revision) > 0,
        );
      const push = handlePost("/v1/push", (body, ask) => {
        pushed.push(...(body["operations"] as Operation[]));
        return ask(body);
      });
      const pull = changePages((operations) => operations.filter((one) => !isReplaced(one)));
      return (request, context) => (request.method === "POST" ? push : pull)(request, context);
    },
  },
  {
    name: "sends nothing of a deleted entity but its deletion",
    caughtBy: ["client-restores-what-was-deleted"],
    respond: changePages((operations) =>
      operations.filter(
        ({ kind, document }) =>
          kind === "delete" ||
          !operations.some(
            (other) => other.kind === "delete" && other.document.entityId === document.entityId,
          ),
      ),
    ),
  },
  {
    name: "leaves out the last operation of a full page",
    caughtBy: ["client-syncs-more-than-a-page"],
    respond: changePages((operations) =>
      operations.length === 500 ? operations.slice(0, -1) : operations,
    ),
  },
  {
    name: "says that it stored a push in which an id is used for other content",
    caughtBy: ["client-sets-refused-operations-aside", "client-learns-what-is-refused"],
    respond: handlePost("/v1/push", async (body, ask) => {
      const response = await ask(body);
      if (response.status !== 409) return response;
      const operations = body["operations"] as unknown[];
      return okLike(response, { receipts: operations.map(() => ({ duplicate: true })) });
    }),
  },
  {
    name: "names another operation than the refused one",
    caughtBy: ["client-learns-what-is-refused"],
    respond: changeResponse(
      ({ headers }) => headers["Trellis-Refused"] !== undefined,
      (response) => withHeader(response, "Trellis-Refused", "0=id_reused"),
    ),
  },
  {
    name: "has every operation twice in its log",
    caughtBy: ["client-loses-no-push"],
    respond: changePages((operations) => operations.flatMap((one) => [one, one])),
  },
  {
    name: "refuses what it has stored before",
    caughtBy: ["client-starts-over-in-another-log"],
    respond: handlePost("/v1/push", async (body, ask) => errorLike(await ask(body), "not_found")),
  },
  {
    name: "takes a cursor of another history for one of its own",
    caughtBy: ["client-starts-over-in-another-log", "client-notices-a-put-back"],
    respond: changeOk<PulledPage>(PULL, (page) =>
      page.requiresSnapshot ? { ...page, requiresSnapshot: false, recoveryReason: "none" } : page,
    ),
  },
  {
    name: "tells the first head alone",
    caughtBy: ["client-follows-live-changes"],
    respond: changeEvents((event, index) => (index === 0 ? event : ":\n\n")),
  },
];
