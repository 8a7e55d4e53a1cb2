import {
  changeQuery,
  pathOf,
  queryValue,
  readResponseBody,
  withBody,
  withoutHeader,
  withTarget,
} from "./break.ts";
import type { SyncBreak } from "./sync-break.ts";

/** A server of the contract alone: no live changes, no passkeys, no names of devices, no Trellis-Refused, no Trellis-Page, no marks in cursors. */
export const WITHOUT_EXTENSIONS: SyncBreak = {
  name: "has no extensions",
  caughtBy: [],
  createResponder() {
    const cursors = new Map<string, string>();
    return async (request, { real }) => {
      const path = pathOf(request);
      const cursor = queryValue(request, "cursor");
      const asked = changeQuery(request, (query) => {
        if (cursor !== null) query.set("cursor", cursors.get(cursor) ?? cursor);
      });
      const named = withoutHeader(
        await real(
          path === "/v1/changes" || path === "/v1/passkey"
            ? withTarget(request, "/v1/nothing")
            : asked,
        ),
        "Trellis-Refused",
      );
      const response = withoutHeader(named, "Trellis-Page");
      if (response.body === null || !/^\/v1\/(?:capabilities|pull|push)$/.test(path)) {
        return response;
      }
      const text = await readResponseBody(response);
      return withBody(
        response,
        changeCursorTexts(
          text.replace(/,"(?:changes|displayName|passkeys)":true/g, ""),
          (original) => {
            const { version, generation, offset } = JSON.parse(
              Buffer.from(original, "base64url").toString("utf8"),
            ) as Record<string, unknown>;
            const members = JSON.stringify({ version, generation, offset });
            const stripped = Buffer.from(members).toString("base64url");
            cursors.set(stripped, original);
            return stripped;
          },
        ),
      );
    };
  },
};

function changeCursorTexts(text: string, change: (cursor: string) => string): string {
  return text.replaceAll(
    /"cursor":"([A-Za-z0-9_-]+)"/g,
    (_, cursor: string) => `"cursor":"${change(cursor)}"`,
  );
}
