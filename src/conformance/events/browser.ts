/** A browser at the pages of Trellis: keeps cookies, signs in, and decides on the consent page. */
import { LOGIN_PURPOSE } from "../../contract/events/values.ts";
import { provePassword } from "../../rules/identity/prove-password.ts";
import { NotTestable } from "../case.ts";
import { violate } from "../expect.ts";
import type { HttpResponse, Origin, RequestHeaders } from "../http.ts";
import { deriveKeyOnce } from "../primitives.ts";
import { describeRedirect } from "./authorize.ts";
import { expectChallenge, expectProofAccepted } from "./bodies.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface Browser {
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string): Promise<HttpResponse>;
  submit(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: RequestHeaders,
  ): Promise<HttpResponse>;
  /** Begins a sign-in at the page of that path. */
  beginSignIn(path: string, username: string): Promise<BegunSignIn>;
  /** The whole sign-in; answers the path to go on to. */
  signIn(path: string, credentials: Credentials): Promise<string>;
}

export interface BegunSignIn {
  /** Completes it with a proof of this password. */
  complete(password: string): Promise<{
    readonly answer: HttpResponse;
    readonly expectedServerSignature: string;
  }>;
}

/** The form on which a person decides. */
export interface ConsentForm {
  readonly interaction: string;
  readonly csrf: string;
}

export function createBrowser(api: Origin): Browser {
  const cookies = new Map<string, string>();
  const ask = async (
    method: string,
    path: string,
    headers: RequestHeaders = {},
    body?: string,
  ): Promise<HttpResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const own = cookie === "" ? {} : { Cookie: cookie };
    const answer = await api.send(method, path, { ...own, ...headers }, body);
    keepCookies(answer, cookies);
    return answer;
  };
  const postJson = (path: string, value: unknown) =>
    ask("POST", path, { "Content-Type": "application/json" }, JSON.stringify(value));

  const browser: Browser = {
    cookies,
    get: (path) => ask("GET", path, { Accept: "text/html" }),
    submit: (path, fields, headers = {}) =>
      ask(
        "POST",
        path,
        {
          "Content-Type": "application/x-www-form-urlencoded",
          "Sec-Fetch-Site": "same-origin",
          ...headers,
        },
        new URLSearchParams(fields).toString(),
      ),
    async beginSignIn(path, username) {
      const { csrf, interaction, endpoint } = readSignInPage(await browser.get(path));
      const challenge = expectChallenge(
        await postJson(endpoint, { action: "begin", csrf, username }),
      );
      return {
        async complete(password) {
          const attempt = { interaction };
          const outcome = await provePassword(
            { purpose: LOGIN_PURPOSE, username, password, attempt, challenge },
            deriveKeyOnce,
          );
          if (outcome.kind !== "proved") {
            return violate(`POST ${endpoint} begin`, "an acceptable challenge", outcome.kind);
          }
          const { clientNonce, proof, expectedServerSignature } = outcome;
          const { challengeId } = challenge;
          const members = { challengeId, clientNonce, proof };
          const answer = await postJson(endpoint, { action: "complete", csrf, ...members });
          return { answer, expectedServerSignature };
        },
      };
    },
    async signIn(path, { username, password }) {
      const begun = await browser.beginSignIn(path, username);
      return expectProofAccepted((await begun.complete(password)).answer).next;
    },
  };
  return browser;
}

/** The path of a redirect within the service. */
export function pathOfRedirect(answer: HttpResponse, api: Origin): string {
  const location = answer.header("Location");
  if (answer.status < 300 || answer.status > 399 || location === undefined) {
    return violate(answer.asked, "a redirect", describeRedirect(answer));
  }
  const { pathname, search } = new URL(location, api.url);
  return pathname + search;
}

/** The form of the consent page. */
export function readConsentPage(answer: HttpResponse): ConsentForm {
  const text = new TextDecoder().decode(answer.body);
  const form = /<form\b[^>]*\bid="decision".*?<\/form>/s.exec(text)?.[0] ?? "";
  const read = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1];
  const [interaction, csrf] = [read("interaction"), read("csrf")];
  if (answer.status === 200 && interaction !== undefined && csrf !== undefined) {
    return { interaction, csrf };
  }
  return violate(answer.asked, "the consent page of Trellis", describeRedirect(answer));
}

interface SignInPage {
  readonly csrf: string;
  readonly endpoint: string;
  readonly interaction: string;
}

function readSignInPage(answer: HttpResponse): SignInPage {
  const text = new TextDecoder().decode(answer.body);
  const attribute = /\bdata-login="([^"]*)"/.exec(text)?.[1];
  if (answer.status !== 200 || attribute === undefined) {
    throw new NotTestable(
      "The service does not have the sign-in page of Trellis; let a person allow it instead, without --username",
    );
  }
  const data = JSON.parse(unescapeHtml(attribute)) as Omit<SignInPage, "interaction"> & {
    readonly attempt: { readonly interaction: string };
  };
  return { csrf: data.csrf, endpoint: data.endpoint, interaction: data.attempt.interaction };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};

function unescapeHtml(text: string): string {
  return text.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function keepCookies(answer: HttpResponse, cookies: Map<string, string>): void {
  // The client joins several by commas; a comma within a date is followed by no name.
  const lines = (answer.header("Set-Cookie") ?? "").split(/,\s*(?=[^;,=\s]+=)/);
  for (const line of lines) {
    const [, name = "", value = "", attributes = ""] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
    if (name === "") continue;
    if (/;\s*Max-Age=0/i.test(attributes)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
