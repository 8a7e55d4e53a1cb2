import { LOGIN_PURPOSE } from "../../src/contract/events/values.ts";
import { provePassword } from "../../src/rules/identity/prove-password.ts";
import { NotTestableError } from "../case.ts";
import { fail } from "../expect.ts";
import type { Origin, ReceivedResponse, SentHeaders } from "../http.ts";
import { deriveKeyOnce } from "../sign-in-keys.ts";
import { unescapeMarkup } from "../unescape-markup.ts";
import {
  describeRedirect,
  expectChallenge,
  expectProofAccepted,
  isRedirect,
} from "./expectations.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A browser at the pages of Trellis, which stores cookies. */
export interface Browser {
  readonly cookies: ReadonlyMap<string, string>;
  get(path: string): Promise<ReceivedResponse>;
  submit(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: SentHeaders,
  ): Promise<ReceivedResponse>;
  postJson(path: string, value: unknown, headers?: SentHeaders): Promise<ReceivedResponse>;
  /** Follows a redirect of the service to one of its own pages. */
  follow(path: string): Promise<ReceivedResponse>;
  /** Begins a sign-in at the page of the path. */
  beginSignIn(path: string, username: string): Promise<StartedSignIn>;
  signIn(path: string, credentials: Credentials): Promise<void>;
  /** Sends an authorization request, which must lead to the consent page. */
  openConsentPage(authorizePath: string): Promise<ConsentForm>;
}

export interface StartedSignIn {
  complete(password: string): Promise<{
    readonly response: ReceivedResponse;
    readonly expectedServerSignature: string;
  }>;
}

/** The hidden fields of the form on the consent page. */
export interface ConsentForm {
  readonly interaction: string;
  readonly csrf: string;
}

export function createBrowser(api: Origin): Browser {
  const cookies = new Map<string, string>();
  const send = async (
    method: string,
    path: string,
    headers: SentHeaders = {},
    body?: string,
  ): Promise<ReceivedResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const cookieHeader = cookie === "" ? {} : { Cookie: cookie };
    const response = await api.send(method, path, { ...cookieHeader, ...headers }, body);
    storeCookies(response, cookies);
    return response;
  };

  const browser: Browser = {
    cookies,
    get: (path) => send("GET", path, { Accept: "text/html" }),
    submit: (path, fields, headers = {}) =>
      send(
        "POST",
        path,
        {
          "Content-Type": "application/x-www-form-urlencoded",
          "Sec-Fetch-Site": "same-origin",
          ...headers,
        },
        new URLSearchParams(fields).toString(),
      ),
    postJson: (path, value, headers = {}) =>
      send("POST", path, { "Content-Type": "application/json", ...headers }, JSON.stringify(value)),
    follow: async (path) => browser.get(redirectToPath(await browser.get(path), api)),
    beginSignIn: async (path, username) =>
      createSignIn(readSignInPage(await browser.get(path)), username, browser.postJson),
    async signIn(path, { username, password }) {
      const signIn = await browser.beginSignIn(path, username);
      expectProofAccepted((await signIn.complete(password)).response);
    },
    async openConsentPage(authorizePath) {
      return readConsentForm(await browser.follow(authorizePath));
    },
  };
  return browser;
}

async function createSignIn(
  { csrf, interaction, endpoint }: SignInPage,
  username: string,
  postJson: (path: string, value: unknown) => Promise<ReceivedResponse>,
): Promise<StartedSignIn> {
  const begun = await postJson(endpoint, { action: "begin", csrf, username });
  const challenge = expectChallenge(begun);
  return {
    async complete(password) {
      const result = await provePassword(
        { purpose: LOGIN_PURPOSE, username, password, attempt: { interaction }, challenge },
        deriveKeyOnce,
      );
      if (result.kind !== "proved") return fail(begun, "an acceptable challenge", result.kind);
      const { clientNonce, proof, expectedServerSignature } = result;
      const members = { challengeId: challenge.challengeId, clientNonce, proof };
      const response = await postJson(endpoint, { action: "complete", csrf, ...members });
      return { response, expectedServerSignature };
    },
  };
}

function redirectToPath(response: ReceivedResponse, api: Origin): string {
  const location = response.header("Location");
  if (!isRedirect(response) || location === undefined) {
    return fail(response, "a redirect", describeRedirect(response));
  }
  const { pathname, search } = new URL(location, api.url);
  return pathname + search;
}

export function readConsentForm(response: ReceivedResponse): ConsentForm {
  const form = /<form\b[^>]*\bid="decision".*?<\/form>/s.exec(response.text())?.[0] ?? "";
  const read = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1];
  const [interaction, csrf] = [read("interaction"), read("csrf")];
  if (response.status === 200 && interaction !== undefined && csrf !== undefined) {
    return { interaction, csrf };
  }
  return fail(response, "the consent page of Trellis", describeRedirect(response));
}

export interface SignInPage {
  readonly csrf: string;
  readonly endpoint: string;
  readonly interaction: string;
}

export function readSignInPage(response: ReceivedResponse): SignInPage {
  type Data = Omit<SignInPage, "interaction"> & {
    readonly attempt: Pick<SignInPage, "interaction">;
  };
  const data = readScriptData<Data>(response, "login");
  if (response.status !== 200 || data === null) {
    throw new NotTestableError(
      "The service does not have the sign-in page of Trellis; let a person allow it instead, without --username",
    );
  }
  return { csrf: data.csrf, endpoint: data.endpoint, interaction: data.attempt.interaction };
}

/** What a page passes to its script; null when it has no such data. */
export function readScriptData<T>(response: ReceivedResponse, name: string): T | null {
  const attribute = new RegExp(`\\bdata-${name}="([^"]*)"`).exec(response.text())?.[1];
  return attribute === undefined ? null : (JSON.parse(unescapeMarkup(attribute)) as T);
}

function storeCookies(response: ReceivedResponse, cookies: Map<string, string>): void {
  // The HTTP client joins several cookies by commas; after a comma in a date no name follows.
  const lines = (response.header("Set-Cookie") ?? "").split(/,\s*(?=[^;,=\s]+=)/);
  for (const line of lines) {
    const [, name = "", value = "", attributes = ""] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
    if (name === "") continue;
    if (/;\s*Max-Age=0/i.test(attributes)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
