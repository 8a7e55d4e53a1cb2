import type { HttpResponse } from "../../../src/http/response.ts";
import type { RawRequest } from "../../../src/http/request-context.ts";
import {
  changeResponse,
  pathOf,
  withBody,
  withHeader,
  type BrokenResponse,
  changeQuery,
  ignoreHeader,
  queryValue,
} from "./break.ts";
import { errorLike, type SyncBreak } from "./sync-break.ts";

const POLICY = "Content-Security-Policy";

function isPage(answer: HttpResponse): boolean {
  return answer.headers["Content-Type"]?.startsWith("text/html") === true;
}

function changePage(edit: (page: string) => string): BrokenResponse {
  return changeResponse(
    (answer) => isPage(answer) && typeof answer.body === "string",
    (answer) => withBody(answer, edit(answer.body as string)),
  );
}

function changePolicy(edit: (policy: string) => string): BrokenResponse {
  return changeResponse(isPage, (answer) =>
    withHeader(answer, POLICY, edit(answer.headers[POLICY] ?? "")),
  );
}

function changePageQuery(edit: (query: URLSearchParams) => void): BrokenResponse {
  return (exchange, { honest }) =>
    honest(
      exchange.method === "GET" && pathOf(exchange) === "/v1/authorize"
        ? changeQuery(exchange, edit)
        : exchange,
    );
}

const isAuthorize = (exchange: RawRequest) => pathOf(exchange) === "/v1/authorize";

export const SYNC_BREAKS_OF_THE_PAGE: readonly SyncBreak[] = [
  {
    name: "keeps browsers from filling its fields",
    caughtBy: ["login-page-shows-where-you-are"],
    answer: changePage((page) => page.replaceAll("current-password", "off")),
  },
  {
    name: "does not say whose page it is",
    caughtBy: ["login-page-shows-where-you-are"],
    answer: changePage((page) => page.replaceAll("My sync", "Sync")),
  },
  {
    name: "leaves base-uri out of the page's policy",
    caughtBy: ["login-page-has-exactly-its-policy", "authorize-errors-are-for-people-too"],
    answer: changePolicy((policy) => policy.replace(" base-uri 'none';", "")),
  },
  {
    name: "allows inline styles",
    caughtBy: ["login-page-has-exactly-its-policy"],
    answer: changePolicy((policy) => `${policy} 'unsafe-inline'`),
  },
  {
    name: "allows pictures on the page",
    caughtBy: ["login-page-has-exactly-its-policy"],
    answer: changePolicy((policy) => `${policy}; img-src data:`),
  },
  {
    name: "has the same nonce every time",
    caughtBy: ["login-page-nonce-differs-per-response"],
    answer: changeResponse(
      (answer) => isPage(answer) && typeof answer.body === "string",
      (answer) => {
        const nonce = /'nonce-([^']+)'/.exec(answer.headers[POLICY] ?? "")?.[1] ?? "";
        const fixed = "AAAAAAAAAAAAAAAAAAAAAAAA";
        const page = withBody(answer, (answer.body as string).replaceAll(nonce, fixed));
        return withHeader(page, POLICY, (answer.headers[POLICY] ?? "").replaceAll(nonce, fixed));
      },
    ),
  },
  {
    name: "has a style without the nonce",
    caughtBy: ["login-page-nonce-differs-per-response"],
    answer: changePage((page) => page.replace(/<style nonce="[^"]*">/, "<style>")),
  },
  {
    name: "loads a font from elsewhere",
    caughtBy: ["login-page-loads-nothing-from-elsewhere"],
    answer: changePage((page) =>
      page.replace("</style>", "@font-face{src:url(https://fonts.example/a.woff2)}</style>"),
    ),
  },
  {
    name: "counts visitors with a picture",
    caughtBy: ["login-page-loads-nothing-from-elsewhere"],
    answer: changePage((page) => page.replace("</body>", '<img src="/pixel" alt=""></body>')),
  },
  {
    name: "does not look at Accept-Language",
    caughtBy: ["login-page-speaks-german-and-english", "authorize-errors-are-for-people-too"],
    answer: ignoreHeader("accept-language"),
  },
  {
    name: "takes the first language of Accept-Language alone",
    caughtBy: ["login-page-speaks-german-and-english"],
    answer: (exchange, { honest }) =>
      honest({
        ...exchange,
        header: (name) =>
          name === "accept-language"
            ? (exchange.header(name)?.split(",")[0] ?? null)
            : exchange.header(name),
      }),
  },
  {
    name: "makes up an attempt id that is missing",
    caughtBy: ["authorize-needs-its-parameters"],
    answer: changePageQuery((query) => {
      if (!query.has("attempt_id")) query.set("attempt_id", "none");
    }),
  },
  {
    name: "ignores a challenge method",
    caughtBy: ["authorize-takes-no-other-parameters"],
    answer: changePageQuery((query) => query.delete("code_challenge_method")),
  },
  {
    name: "takes a redirect URI that only begins like a configured one",
    caughtBy: ["authorize-parameters-are-checked"],
    answer: changePageQuery((query) => {
      const allowed = "http://localhost:43823/callback";
      if (query.get("redirect_uri")?.startsWith(allowed)) query.set("redirect_uri", allowed);
    }),
  },
  {
    name: "takes a state of fifteen characters",
    caughtBy: ["authorize-parameters-are-checked"],
    answer: changePageQuery((query) => {
      const state = query.get("state");
      if (state !== null && state !== "") query.set("state", state.padEnd(16, "x"));
    }),
  },
  {
    name: "refuses a long state",
    caughtBy: ["authorize-accepts-the-whole-grammar"],
    answer: changeResponse(
      (_answer, exchange) => (queryValue(exchange, "state") ?? "").length > 128,
      (answer) => errorLike(answer, "invalid_authorization_request"),
    ),
  },
  {
    name: "writes the query into the page as it came",
    caughtBy: ["authorize-values-cannot-break-out-of-the-page"],
    answer: changePage((page) => page.replaceAll("&lt;", "<").replaceAll("&gt;", ">")),
  },
  {
    name: "shows people JSON",
    caughtBy: ["authorize-errors-are-for-people-too"],
    answer: ignoreHeader("accept", isAuthorize),
  },
  {
    name: "shows programs a page",
    caughtBy: ["authorize-errors-are-for-people-too", "authorize-needs-its-parameters"],
    answer: (exchange, { honest }) =>
      honest({
        ...exchange,
        header: (name) => (name === "accept" ? "text/html" : exchange.header(name)),
      }),
  },
];
