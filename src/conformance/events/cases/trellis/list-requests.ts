import { EVENTS_LIMIT_RANGE } from "../../../../contract/events/values.ts";
import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectStatus,
} from "../../../expect.ts";
import type { RequestHeaders } from "../../../http.ts";
import { randomText } from "../../../primitives.ts";
import { expectError, expectList } from "../../expectations.ts";
import { EPOCH, query } from "../../list.ts";
import { EVENTS, FORM } from "../../requests.ts";
import type { EventsRequirement } from "../../server-under-test.ts";

export const LIST_REQUEST_CASES: readonly EventsRequirement[] = [
  {
    id: "missing-credentials-are-told-of-no-error",
    title: "Who sends no token is told of Bearer alone, with 401 and without a body",
    section: "Trellis decision, events service: events, no Authorization (RFC 6750 3.1)",
    run: ({ api }) =>
      expectEach([{}, { Authorization: "Basic eDp5" }], async (headers: RequestHeaders) => {
        const response = await api.get(`${EVENTS}?limit=1`, headers);
        expectStatus(response, 401);
        expectHeader(response, "WWW-Authenticate", 'Bearer realm="events"');
        expectNoBody(response);
      }),
  },
  {
    id: "malformed-credentials-are-400",
    title: "A malformed Authorization header is 400 invalid_request",
    section: "Trellis decision, events service: events, malformed header (RFC 6750 3.1)",
    run: ({ api }) =>
      expectEach(["Bearer", "Bearer a b", "Bearer \u00e4", "Bearer a,b"], async (value) => {
        const response = await api.get(`${EVENTS}?limit=1`, { Authorization: value });
        expectError(response, "invalid_request");
        expectHeaderMatch(
          response,
          "WWW-Authenticate",
          /^Bearer realm="events", error="invalid_request"/,
          "Bearer and the error",
        );
      }),
  },
  {
    id: "unknown-tokens-are-invalid-token",
    title: "A token that nobody knows is 401 invalid_token, and the header says so",
    section: "Trellis decision, events service: events, unknown token (RFC 6750 3.1)",
    run: ({ api }) =>
      expectEach([randomText(43), `tre_at_${randomText(43)}`], async (token) => {
        const response = await api.get(`${EVENTS}?limit=1`, { Authorization: `Bearer ${token}` });
        expectError(response, "invalid_token");
        expectHeaderMatch(
          response,
          "WWW-Authenticate",
          /^Bearer realm="events", error="invalid_token"/,
          "Bearer and the error",
        );
      }),
  },
  {
    id: "tokens-are-not-taken-from-the-query",
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
  {
    id: "scheme-is-read-in-any-case",
    title: "The scheme Bearer is read in any case",
    section: "Trellis decision, events service: events, the header (RFC 9110 11.1)",
    async run(server) {
      const token = await server.token();
      await expectEach(["bearer", "BEARER"], async (scheme) =>
        expectStatus(await server.list("limit=1", { Authorization: `${scheme} ${token}` }), 200),
      );
    },
  },
  {
    id: "cookies-open-no-events",
    title: "The session of a signed-in person opens no events",
    section: "Trellis decision, events service: events, the cookie is never accepted",
    async run(server) {
      const response = await (await server.signedIn()).get(`${EVENTS}?limit=1`);
      expectStatus(response, 401);
    },
  },
  {
    id: "limit-is-a-canonical-integer",
    title: "limit is needed, in plain decimal digits, from 1 to 1000",
    section: "Trellis decision, events service: events, limit",
    async run(server) {
      const wrong = ["", "0", "-1", "1001", "05", "1.0", "1e2", "+5", "%205", "0x10", "ten", "5,5"];
      await expectEach(["limit", ...wrong.map((value) => `limit=${value}`)], async (search) =>
        expectError(await server.list(search), "invalid_request"),
      );
      await expectEach([1, EVENTS_LIMIT_RANGE.maximum], async (limit) =>
        expectList(await server.list(query(limit))),
      );
      expectError(await server.list("updated_since=2026-01-01T00:00:00Z"), "invalid_request");
    },
  },
  {
    id: "updated-since-takes-more-forms",
    title: "updated_since may be a bare date, and may have up to nine fraction digits",
    section: "Trellis decision, events service: events, updated_since",
    async run(server) {
      const moments = [
        "2026-08-21",
        "2026-08-21T10:15:30.123456789Z",
        "2026-08-21t10:15:30z",
        "2016-12-31T23:59:60Z",
      ];
      await expectEach(moments, async (moment) => expectList(await server.list(query(1, moment))));
    },
  },
  {
    id: "updated-since-is-checked",
    title: "A text that is no moment of the calendar is invalid_request",
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
        "2026-08-21T10:15:30.1234567890Z",
      ];
      await expectEach(wrong, async (moment) =>
        expectError(await server.list(query(1, moment)), "invalid_request"),
      );
      // A plus sign that nobody escaped is a space.
      const response = await server.list("limit=1&updated_since=2026-08-21T10:15:30+02:00");
      expectError(response, "invalid_request");
    },
  },
  {
    id: "include-deleted-is-true-or-false",
    title: "include_deleted is true or false",
    section: "Trellis decision, events service: events, include_deleted",
    async run(server) {
      await expectEach(["", "1", "True", "yes"], async (value) => {
        const response = await server.list(query(1, EPOCH, `&include_deleted=${value}`));
        expectError(response, "invalid_request");
      });
      await expectEach(["true", "false"], async (value) =>
        expectList(await server.list(query(1, EPOCH, `&include_deleted=${value}`))),
      );
    },
  },
  {
    id: "repeated-list-parameters-are-invalid",
    title: "A parameter of the list that comes twice is invalid_request, never the first one",
    section: "Trellis decision, shared by all services: repeated query parameters",
    async run(server) {
      const searches = [
        "limit=1&limit=1",
        `${query(1, EPOCH)}&updated_since=${encodeURIComponent(EPOCH)}`,
        `${query(1, EPOCH)}&include_deleted=true&include_deleted=true`,
      ];
      await expectEach(searches, async (search) =>
        expectError(await server.list(search), "invalid_request"),
      );
    },
  },
  {
    id: "unknown-list-parameters-are-ignored",
    title: "A parameter of the list that nobody knows is ignored",
    section: "Trellis decision, events service: rules for every route",
    async run(server) {
      expectList(await server.list("limit=1&x=1&x=2"));
    },
  },
  {
    id: "list-checks-the-token-first",
    title: "What is wrong with the query is said after what is wrong with the token",
    section: "Trellis decision, events service: events, the order of the checks",
    async run({ api }) {
      expectStatus(await api.get(`${EVENTS}?limit=0`), 401);
      const Authorization = `Bearer ${randomText(43)}`;
      expectError(await api.get(`${EVENTS}?limit=0`, { Authorization }), "invalid_token");
    },
  },
];
