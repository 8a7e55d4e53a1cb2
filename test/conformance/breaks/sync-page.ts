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

export const SYNC_BREAKS_OF_THE_PAGE: readonly SyncBreak[] = [
  {
    name: "keeps browsers from filling its fields",
    caughtBy: ["login-page-shows-where-you-are"],
    respond: changePage((page) => page.replaceAll("current-password", "off")),
  },
  {
    name: "does not say whose page it is",
    caughtBy: ["login-page-shows-where-you-are"],
    respond: changePage((page) => page.replaceAll("My sync", "Sync")),
  },
  {
    name: "leaves base-uri out of the page's policy",
    caughtBy: ["login-page-has-exactly-its-policy", "authorize-errors-are-for-people-too"],
    respond: changePolicy((policy) => policy.replace(" base-uri 'none';", "")),
  },
  {
    name: "allows inline styles",
    caughtBy: ["login-page-has-exactly-its-policy"],
    respond: changePolicy((policy) => `${policy} 'unsafe-inline'`),
  },
  {
    name: "allows pictures on the page",
    caughtBy: ["login-page-has-exactly-its-policy"],
    respond: changePolicy((policy) => policy.replace("img-src data:", "img-src 'self' data:")),
  },
  {
    name: "has the same nonce every time",
    caughtBy: ["login-page-nonce-differs-per-response"],
    respond: changeResponse(
      (response) => isPage(response) && typeof response.body === "string",
      (response) => {
        const nonce = /'nonce-([^']+)'/.exec(response.headers[POLICY] ?? "")?.[1] ?? "";
        const fixed = "AAAAAAAAAAAAAAAAAAAAAAAA";
        const page = withBody(response, (response.body as string).replaceAll(nonce, fixed));
        return withHeader(page, POLICY, (response.headers[POLICY] ?? "").replaceAll(nonce, fixed));
      },
    ),
  },
  {
    name: "has a style without the nonce",
    caughtBy: ["login-page-nonce-differs-per-response"],
    respond: changePage((page) => page.replace(/<style nonce="[^"]*">/, "<style>")),
  },
  {
    name: "loads a font from elsewhere",
    caughtBy: ["login-page-loads-nothing-from-elsewhere"],
    respond: changePage((page) =>
      page.replace("</style>", "@font-face{src:url(https://fonts.example/a.woff2)}</style>"),
    ),
  },
  {
    name: "counts visitors with a picture",
    caughtBy: ["login-page-loads-nothing-from-elsewhere"],
    respond: changePage((page) => page.replace("</body>", '<img src="/pixel" alt=""></body>')),
  },
  {
    name: "does not look at Accept-Language",
    caughtBy: ["login-page-speaks-german-and-english", "authorize-errors-are-for-people-too"],
    respond: ignoreHeader("accept-language"),
  },
  {
    name: "takes the first language of Accept-Language alone",
    caughtBy: ["login-page-speaks-german-and-english"],
    respond: (request, { real }) =>
      real({
        ...request,
        header: (name) =>
          name === "accept-language"
            ? (request.header(name)?.split(",")[0] ?? null)
            : request.header(name),
      }),
  },
  {
    name: "makes up an attempt id that is missing",
    caughtBy: ["authorize-needs-its-parameters"],
    respond: changePageQuery((query) => {
      if (!query.has("attempt_id")) query.set("attempt_id", "none");
    }),
  },
  {
    name: "ignores a challenge method",
    caughtBy: ["authorize-takes-no-other-parameters"],
    respond: changePageQuery((query) => query.delete("code_challenge_method")),
  },
  {
    name: "takes a redirect URI that only begins like a configured one",
    caughtBy: ["authorize-parameters-are-checked"],
    respond: changePageQuery((query) => {
      const allowed = "http://localhost:43823/callback";
      if (query.get("redirect_uri")?.startsWith(allowed)) query.set("redirect_uri", allowed);
    }),
  },
  {
    name: "takes a state of fifteen characters",
    caughtBy: ["authorize-parameters-are-checked"],
    respond: changePageQuery((query) => {
      const state = query.get("state");
      if (state !== null && state !== "") query.set("state", state.padEnd(16, "x"));
    }),
  },
  {
    name: "refuses a long state",
    caughtBy: ["authorize-accepts-the-whole-grammar"],
    respond: changeResponse(
      (_response, request) => (queryValue(request, "state") ?? "").length > 128,
      (response) => errorLike(response, "invalid_authorization_request"),
    ),
  },
  {
    name: "writes the query into the page as it came",
    caughtBy: ["authorize-values-cannot-break-out-of-the-page"],
    respond: changePage((page) => page.replaceAll("&lt;", "<").replaceAll("&gt;", ">")),
  },
  {
    name: "shows people JSON",
    caughtBy: ["authorize-errors-are-for-people-too"],
    respond: ignoreHeader("accept", isAuthorize),
  },
  {
    name: "shows programs a page",
    caughtBy: ["authorize-errors-are-for-people-too", "authorize-needs-its-parameters"],
    respond: (request, { real }) =>
      real({
        ...request,
        header: (name) => (name === "accept" ? "text/html" : request.header(name)),
      }),
  },
];
