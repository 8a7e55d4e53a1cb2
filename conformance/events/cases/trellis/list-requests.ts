import type { EventsErrorCode } from "../../../../src/contract/events/errors.ts";
import { EVENTS_LIMIT_RANGE } from "../../../../src/contract/events/values.ts";
import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectStatus,
} from "../../../expect.ts";
import { NOT_A_BOUNDED_INTEGER } from "../../../http-cases.ts";
import type { ReceivedResponse, SentHeaders } from "../../../http.ts";
import { randomText } from "../../../sign-in-keys.ts";
import { expectError, expectErrors, expectList } from "../../expectations.ts";
import { EPOCH, query } from "../../list.ts";
import { EVENTS, FORM, listWithToken } from "../../requests.ts";
import { eventsCases, type EventsServerUnderTest } from "../../server-under-test.ts";

export const LIST_REQUEST_CASES = eventsCases({
  "missing-credentials-are-told-of-no-error": {
    title: "Who sends no token is told of Bearer alone, with 401 and without a body",
    section: "Trellis decision, events service: events, no Authorization (RFC 6750 3.1)",
    run: ({ api }) =>
      expectEach([{}, { Authorization: "Basic eDp5" }], async (headers: SentHeaders) => {
        const response = await api.get(`${EVENTS}?limit=1`, headers);
        expectStatus(response, 401);
        expectHeader(response, "WWW-Authenticate", 'Bearer realm="events"');
        expectNoBody(response);
      }),
  },
  "malformed-credentials-are-400": {
    title: "A malformed Authorization header is 400 invalid_request",
    section: "Trellis decision, events service: events, malformed header (RFC 6750 3.1)",
    run: ({ api }) =>
      expectEach(["Bearer", "Bearer a b", "Bearer \u00e4", "Bearer a,b"], async (value) => {
        const response = await api.get(`${EVENTS}?limit=1`, { Authorization: value });
        expectBearerError(response, "invalid_request");
      }),
  },
  "unknown-tokens-are-invalid-token": {
    title: "A token that nobody knows is 401 invalid_token, and the header says so",
    section: "Trellis decision, events service: events, unknown token (RFC 6750 3.1)",
    run: (server) =>
      expectEach([randomText(43), `tre_at_${randomText(43)}`], async (token) =>
        expectBearerError(await listWithToken(server, token), "invalid_token"),
      ),
  },
  "tokens-are-not-taken-from-the-query": {
    title: "A token in the query or in a form is 400 invalid_request, even beside a good header",
    section: "Trellis decision, events service: events, a token in the query or a form",
    async run(server) {
      const token = await server.token();
      const Authorization = `Bearer ${token}`;
      const path = `${EVENTS}?limit=1&access_token=${token}`;
      expectError(await server.api.get(path), "invalid_request");
      expectError(await server.api.get(path, { Authorization }), "invalid_request");
      const form = `access_token=${token}`;
      const headers = { ...FORM, "Content-Length": String(form.length) };
      const response = await server.api.send("GET", `${EVENTS}?limit=1`, headers, form);
      expectError(response, "invalid_request");
    },
  },
  "scheme-is-read-in-any-case": {
    title: "The scheme Bearer is read in any case",
    section: "Trellis decision, events service: events, the header (RFC 9110 11.1)",
    async run(server) {
      const token = await server.token();
      await expectEach(["bearer", "BEARER"], async (scheme) =>
        expectStatus(await server.list("limit=1", { Authorization: `${scheme} ${token}` }), 200),
      );
    },
  },
  "cookies-open-no-events": {
    title: "The session of a signed-in person opens no events",
    section: "Trellis decision, events service: events, the cookie is never accepted",
    async run(server) {
      const response = await (await server.signedIn()).get(`${EVENTS}?limit=1`);
      expectStatus(response, 401);
    },
  },
  "limit-is-a-canonical-integer": {
    title: "limit is needed, in plain decimal digits, from 1 to 1000",
    section: "Trellis decision, events service: events, limit",
    async run(server) {
      const wrong = [...NOT_A_BOUNDED_INTEGER, "1001"].map((value) => `limit=${value}`);
      await expectInvalid(server, ["limit", ...wrong]);
      await expectEach([1, EVENTS_LIMIT_RANGE.maximum], async (limit) =>
        expectList(await server.list(query(limit))),
      );
      await expectInvalid(server, ["updated_since=2026-01-01T00:00:00Z"]);
    },
  },
  "updated-since-takes-more-forms": {
    title: "updated_since may have any form of ISO 8601 that names a day or a moment",
    section: "Trellis decision, events service: events, updated_since",
    async run(server) {
      const moments = [
        "2026-08-21",
        "20260821",
        "2026-W34-5",
        "2026233",
        "2026-08-21T10:15:30.12345678901Z",
        "2026-08-21t10:15:30z",
        "2016-12-31T23:59:60Z",
        "2026-08-21T24:00",
        "20260821T10,5Z",
        "2026-W34-5T10:15.5+02",
        "2026-08-21T10:15:30+0200",
      ];
      await expectEach(moments, async (moment) => expectList(await server.list(query(1, moment))));
    },
  },
  "updated-since-is-checked": {
    title: "A text that names no day and no moment of the calendar is invalid_request",
    section: "Trellis decision, events service: events, bad updated_since",
    async run(server) {
      const wrong = [
        "",
        "yesterday",
        "2026-02-30T00:00:00Z",
        "2026-08-21T25:00:00Z",
        "2026-08-21 10:15:30Z",
        "1755771330",
        "2026-08",
        "--08-21",
        "+002026-08-21",
        "2026-0821",
        "20260821T10:15:30Z",
        "20260821T101530+02:00",
        "2026-08-21T24:00:01Z",
        "2026-W54-1",
        "2026-366",
      ];
      const queries = wrong.map((moment) => query(1, moment));
      // A plus sign that is not escaped is a space.
      queries.push("limit=1&updated_since=2026-08-21T10:15:30+02:00");
      await expectInvalid(server, queries);
    },
  },
  "include-deleted-is-true-or-false": {
    title: "include_deleted is true or false",
    section: "Trellis decision, events service: events, include_deleted",
    async run(server) {
      const withValue = (value: string) => query(1, EPOCH, `&include_deleted=${value}`);
      await expectInvalid(server, ["", "1", "True", "yes"].map(withValue));
      await expectEach(["true", "false"].map(withValue), async (text) =>
        expectList(await server.list(text)),
      );
    },
  },
  "repeated-list-parameters-are-invalid": {
    title: "A parameter of the list that comes twice is invalid_request, never the first one",
    section: "Trellis decision, shared by all services: repeated query parameters",
    run: (server) =>
      expectInvalid(server, [
        "limit=1&limit=1",
        `${query(1, EPOCH)}&updated_since=${encodeURIComponent(EPOCH)}`,
        `${query(1, EPOCH)}&include_deleted=true&include_deleted=true`,
      ]),
  },
  "unknown-list-parameters-are-ignored": {
    title: "A parameter of the list that nobody knows is ignored",
    section: "Trellis decision, events service: rules for every route",
    async run(server) {
      expectList(await server.list("limit=1&x=1&x=2"));
    },
  },
  "list-checks-the-token-first": {
    title: "What is wrong with the query is said after what is wrong with the token",
    section: "Trellis decision, events service: events, the order of the checks",
    async run(server) {
      expectStatus(await server.api.get(`${EVENTS}?limit=0`), 401);
      expectError(await listWithToken(server, randomText(43), "limit=0"), "invalid_token");
    },
  },
});

/** The error is in the body and in `WWW-Authenticate`. */
function expectBearerError(response: ReceivedResponse, code: EventsErrorCode): void {
  expectError(response, code);
  const pattern = new RegExp(`^Bearer realm="events", error="${code}"`);
  expectHeaderMatch(response, "WWW-Authenticate", pattern, "Bearer and the error");
}

function expectInvalid(server: EventsServerUnderTest, queries: readonly string[]): Promise<void> {
  return expectErrors("invalid_request", queries, (text) => server.list(text));
}
