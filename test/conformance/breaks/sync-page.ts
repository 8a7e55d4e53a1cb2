import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request.ts";
import {
  changeResponse,
  pathOf,
  withBody,
  withHeader,
  type BrokenResponder,
  changeQuery,
  ignoreHeader,
  queryValue,
  toBreaks,
} from "./break.ts";
import { errorLike, type SyncBreak } from "./sync-break.ts";

const POLICY = "Content-Security-Policy";

function isPage(response: HttpResponse): boolean {
  return response.headers["Content-Type"]?.startsWith("text/html") === true;
}

function changePage(edit: (page: string) => string): BrokenResponder {
  return changeResponse(
    (response) => isPage(response) && typeof response.body === "string",
    (response) => withBody(response, edit(response.body as string)),
  );
}

function changePolicy(edit: (policy: string) => string): BrokenResponder {
  return changeResponse(isPage, (response) =>
    withHeader(response, POLICY, edit(response.headers[POLICY] ?? "")),
  );
}

function changePageQuery(edit: (query: URLSearchParams) => void): BrokenResponder {
  return (request, { real }) =>
    real(
      request.method === "GET" && pathOf(request) === "/v1/authorize"
        ? changeQuery(request, edit)
        : request,
    );
}

const isAuthorize = (request: RawRequest) => pathOf(request) === "/v1/authorize";

export const SYNC_BREAKS_OF_THE_PAGE = toBreaks<SyncBreak>({
  "login-page-shows-where-you-are": {
    "keeps browsers from filling its fields": changePage((page) =>
      page.replaceAll("current-password", "off"),
    ),
    "does not say whose page it is": changePage((page) => page.replaceAll("My sync", "Sync")),
  },
  "login-page-has-exactly-its-policy, authorize-errors-are-for-people-too": {
    "leaves base-uri out of the page's policy": changePolicy((policy) =>
      policy.replace(" base-uri 'none';", ""),
    ),
  },
  "login-page-has-exactly-its-policy": {
    "allows inline styles": changePolicy((policy) => `${policy} 'unsafe-inline'`),
    "allows pictures on the page": changePolicy((policy) =>
      policy.replace("img-src data:", "img-src 'self' data:"),
    ),
  },
  "login-page-nonce-differs-per-response": {
    "has the same nonce every time": changeResponse(
      (response) => isPage(response) && typeof response.body === "string",
      (response) => {
        const nonce = /'nonce-([^']+)'/.exec(response.headers[POLICY] ?? "")?.[1] ?? "";
        const fixed = "AAAAAAAAAAAAAAAAAAAAAAAA";
        const page = withBody(response, (response.body as string).replaceAll(nonce, fixed));
        return withHeader(page, POLICY, (response.headers[POLICY] ?? "").replaceAll(nonce, fixed));
      },
    ),
    "has a style without the nonce": changePage((page) =>
      page.replace(/<style nonce="[^"]*">/, "<style>"),
    ),
  },
  "login-page-loads-nothing-from-elsewhere": {
    "loads a font from elsewhere": changePage((page) =>
      page.replace("</style>", "@font-face{src:url(https://fonts.example/a.woff2)}</style>"),
    ),
    "counts visitors with a picture": changePage((page) =>
      page.replace("</body>", '<img src="/pixel" alt=""></body>'),
    ),
  },
  "login-page-speaks-german-and-english, authorize-errors-are-for-people-too": {
    "does not look at Accept-Language": ignoreHeader("accept-language"),
  },
  "login-page-speaks-german-and-english": {
    "takes the first language of Accept-Language alone": (request, { real }) =>
      real({
        ...request,
        header: (name) =>
          name === "accept-language"
            ? (request.header(name)?.split(",")[0] ?? null)
            : request.header(name),
      }),
  },
  "authorize-needs-its-parameters": {
    "makes up an attempt id that is missing": changePageQuery((query) => {
      if (!query.has("attempt_id")) query.set("attempt_id", "none");
    }),
  },
  "authorize-takes-no-other-parameters": {
    "ignores a challenge method": changePageQuery((query) => query.delete("code_challenge_method")),
  },
  "authorize-parameters-are-checked": {
    "takes a redirect URI that only begins like a configured one": changePageQuery((query) => {
      const allowed = "http://localhost:43823/callback";
      if (query.get("redirect_uri")?.startsWith(allowed)) query.set("redirect_uri", allowed);
    }),
    "takes a state of fifteen characters": changePageQuery((query) => {
      const state = query.get("state");
      if (state !== null && state !== "") query.set("state", state.padEnd(16, "x"));
    }),
  },
  "authorize-accepts-the-whole-grammar": {
    "refuses a long state": changeResponse(
      (_response, request) => (queryValue(request, "state") ?? "").length > 128,
      (response) => errorLike(response, "invalid_authorization_request"),
    ),
  },
  "authorize-values-cannot-break-out-of-the-page": {
    "writes the query into the page as it came": changePage((page) =>
      page.replaceAll("&lt;", "<").replaceAll("&gt;", ">"),
    ),
  },
  "authorize-errors-are-for-people-too": {
    "shows people JSON": ignoreHeader("accept", isAuthorize),
  },
  "authorize-errors-are-for-people-too, authorize-needs-its-parameters": {
    "shows programs a page": (request, { real }) =>
      real({
        ...request,
        header: (name) => (name === "accept" ? "text/html" : request.header(name)),
      }),
  },
});
