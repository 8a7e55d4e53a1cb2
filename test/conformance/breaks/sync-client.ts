import type { Operation } from "../../../src/contract/sync/operation.ts";
import { compareRevisions } from "../../../src/rules/sync/operation.ts";
import { changeOk, changeResponse, pathOf, withHeader, type Body, toBreaks } from "./break.ts";
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
export const SYNC_BREAKS_OF_THE_CLIENT = toBreaks<SyncBreak>({
  "client-signs-in": {
    "redeems no code": changeBody("/v1/token", (body) => ({
      ...body,
      codeVerifier: "x".repeat(64),
    })),
  },
  "client-refreshes-its-tokens": {
    "returns a refresh token that it does not take": changeOk<{ refreshToken: string }>(
      "/v1/refresh",
      (tokens) => ({
        ...tokens,
        refreshToken: `${tokens.refreshToken.slice(0, -4)}AAAA`,
      }),
    ),
  },
  "client-outlives-a-lost-refresh": {
    "takes every refresh token once": {
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
  },
  "client-keeps-its-edits-when-its-session-ends": {
    "revokes no device": (request, { real }) =>
      real(
        request.method === "DELETE" && pathOf(request) === "/v1/device"
          ? { ...request, method: "GET" }
          : request,
      ),
  },
  "client-signs-out": {
    "says that it ended a session, and does not": handlePost(
      "/v1/revoke",
      async (_body, _ask, request, real) =>
        okLike(await real({ ...request, method: "GET", target: "/v1/health" }), { revoked: 1 }),
    ),
  },
  "client-pushes-and-pulls": {
    "sends no deletions": changePages((operations) =>
      operations.filter(({ kind }) => kind !== "delete"),
    ),
  },
  "client-merges-with-another-device": {
    "has another state than its log": changeOk<{
      entities: { payloadFields: Record<string, Body> }[];
    }>("/v1/snapshot", ({ entities }) => {
      for (const { payloadFields } of entities) {
        if (payloadFields["icon"] !== undefined) payloadFields["icon"]["value"] = "check";
      }
    }),
  },
  "client-keeps-the-fields-of-two-creates": {
    "sends only the greater of two creates": {
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
  },
  "client-restores-what-was-deleted": {
    "sends nothing of a deleted entity but its deletion": changePages((operations) =>
      operations.filter(
        ({ kind, document }) =>
          kind === "delete" ||
          !operations.some(
            (other) => other.kind === "delete" && other.document.entityId === document.entityId,
          ),
      ),
    ),
  },
  "client-syncs-more-than-a-page": {
    "leaves out the last operation of a full page": changePages((operations) =>
      operations.length === 500 ? operations.slice(0, -1) : operations,
    ),
  },
  "client-sets-refused-operations-aside, client-learns-what-is-refused": {
    "says that it stored a push in which an id is used for other content": handlePost(
      "/v1/push",
      async (body, ask) => {
        const response = await ask(body);
        if (response.status !== 409) return response;
        const operations = body["operations"] as unknown[];
        return okLike(response, { receipts: operations.map(() => ({ duplicate: true })) });
      },
    ),
  },
  "client-learns-what-is-refused": {
    "names another operation than the refused one": changeResponse(
      ({ headers }) => headers["Trellis-Refused"] !== undefined,
      (response) => withHeader(response, "Trellis-Refused", "0=id_reused"),
    ),
  },
  "client-loses-no-push": {
    "has every operation twice in its log": changePages((operations) =>
      operations.flatMap((one) => [one, one]),
    ),
  },
  "client-starts-over-in-another-log": {
    "refuses what it has stored before": handlePost("/v1/push", async (body, ask) =>
      errorLike(await ask(body), "not_found"),
    ),
  },
  "client-starts-over-in-another-log, client-notices-a-put-back": {
    "takes a cursor of another history for one of its own": changeOk<PulledPage>(PULL, (page) =>
      page.requiresSnapshot ? { ...page, requiresSnapshot: false, recoveryReason: "none" } : page,
    ),
  },
  "client-follows-live-changes": {
    "tells the first head alone": changeEvents((event, index) => (index === 0 ? event : ":\n\n")),
  },
});
