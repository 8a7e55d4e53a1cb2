/** A browser on the pages of an account: what it keeps, and what the scripts of the pages send. */
import assert from "node:assert/strict";
import {
  createAuthenticator,
  type Deviations,
  type SoftwarePasskey,
} from "../../../conformance/authenticator.ts";
import { KNOWN_BROWSER_HEADER } from "../../../src/contract/identity.ts";
import type { PasskeyCreation, PasskeyRequest } from "../../../src/contract/passkey.ts";
import type { ProofChallenge } from "../../../src/contract/password-proof.ts";
import { provePassword } from "../../../src/rules/identity/prove-password.ts";
import { createWireVerifier, deriveKey } from "../../fixtures/password-keys.ts";

export interface ServicePaths {
  readonly origin: string;
  readonly purpose: string;
  readonly signInPage: string;
  readonly waysInPage: string;
  /** Where forms of the ways in are posted. */
  readonly forms: string;
  readonly signIn: string;
  readonly signInWithPasskey: string;
  readonly password: string;
  readonly addPasskey: string;
  readonly signOut: { readonly path: string; readonly members: Record<string, string> };
  /** The member of a new password that ends all other access. */
  readonly everywhere: string;
  readonly home: string;
}

interface PageForm {
  readonly csrf: string;
  readonly attempt: { readonly interaction: string };
}

interface Person {
  readonly username: string;
  readonly password: string;
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;
type SentHeaders = Readonly<Record<string, string>>;

export type AccountBrowser = ReturnType<typeof createAccountBrowser>;

export function createAccountBrowser(paths: ServicePaths, ask: Ask, userAgent = "") {
  const authenticator = createAuthenticator(paths.origin);
  const cookies = new Map<string, string>();
  /** What the storage of the page has. */
  const storage: { known: string | null } = { known: null };

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("Accept")) headers.set("Accept", "text/html");
    if (userAgent !== "") headers.set("User-Agent", userAgent);
    if (storage.known !== null) headers.set(KNOWN_BROWSER_HEADER, storage.known);
    headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await ask(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    storage.known = response.headers.get(KNOWN_BROWSER_HEADER) ?? storage.known;
    return response;
  }

  const postJson = (path: string, body: object, headers: SentHeaders = {}) =>
    send(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
      body: JSON.stringify(body),
    });

  async function readForm(page: string, name: "login" | "password"): Promise<PageForm> {
    const text = await (await send(page)).text();
    const [, data] = new RegExp(`data-${name}="([^"]*)"`).exec(text) ?? [];
    assert.ok(data !== undefined, `the page ${page} has the form ${name}`);
    return JSON.parse(data.replaceAll("&quot;", '"').replaceAll("&#39;", "'")) as PageForm;
  }

  const readSignInForm = () => readForm(paths.signInPage, "login");

  /** The token of the session; empty without one. */
  async function readCsrf(): Promise<string> {
    const response = await send(paths.waysInPage);
    if (response.status !== 200) return "";
    return /name="csrf" value="([^"]*)"/.exec(await response.text())?.[1] ?? "";
  }

  async function prove(challenge: ProofChallenge, form: PageForm, person: Person): Promise<object> {
    const login = { purpose: paths.purpose, ...person, attempt: form.attempt, challenge };
    const result = await provePassword(login, deriveKey);
    assert.ok(result.kind === "proved", result.kind);
    const { clientNonce, proof } = result;
    const { challengeId } = challenge;
    return { action: "complete", csrf: form.csrf, challengeId, clientNonce, proof };
  }

  async function beginSignIn(person: Person, form: PageForm) {
    const { csrf } = form;
    const begin = { action: "begin", csrf, username: person.username };
    const begun = await postJson(paths.signIn, begin);
    if (begun.status !== 200) return { begun, body: null };
    return { begun, body: await prove((await begun.json()) as ProofChallenge, form, person) };
  }

  async function beginPasskey() {
    const { csrf } = await readSignInForm();
    const begun = await postJson(paths.signInWithPasskey, { action: "begin", csrf });
    assert.equal(begun.status, 200, await begun.clone().text());
    const request = (await begun.json()) as PasskeyRequest;
    /** The body of the completing request, which is not sent. */
    const respond = (passkey: SoftwarePasskey, given: Deviations = {}) => ({
      action: "complete",
      csrf,
      credential: authenticator.get(request, passkey, given),
    });
    return { csrf, request, respond };
  }

  const browser = {
    cookies,
    storage,
    authenticator,
    send,
    postJson,
    readSignInForm,
    readCsrf,
    isSignedIn: async () => (await readCsrf()) !== "",
    /** A form of the ways in, from this browser's own page unless members or headers say something else. */
    async submit(members: Readonly<Record<string, string>>, headers: SentHeaders = {}) {
      const body = new URLSearchParams({ csrf: await readCsrf(), ...members });
      return send(paths.forms, { method: "POST", headers, body });
    },
    /** A valid proof, which is not sent. */
    async proveSignIn(person: Person): Promise<object> {
      const { begun, body } = await beginSignIn(person, await readSignInForm());
      assert.ok(body !== null, String(begun.status));
      return body;
    },
    async trySignIn(person: Person): Promise<Response> {
      const { begun, body } = await beginSignIn(person, await readSignInForm());
      return body === null ? begun : postJson(paths.signIn, body);
    },
    async signIn(person: Person): Promise<void> {
      const response = await browser.trySignIn(person);
      assert.equal(response.status, 200, await response.clone().text());
    },
    async signOut(): Promise<Response> {
      const { path, members } = paths.signOut;
      const body = new URLSearchParams({ csrf: await readCsrf(), ...members });
      return send(path, { method: "POST", body });
    },
    /** The status of a wrong proof, or of a refused begin. */
    async guess(username: string): Promise<number> {
      const { csrf } = await readSignInForm();
      const begun = await postJson(paths.signIn, { action: "begin", csrf, username });
      if (begun.status !== 200) return begun.status;
      const { challengeId } = (await begun.json()) as ProofChallenge;
      const wrong = { challengeId, clientNonce: "n".repeat(43), proof: "A".repeat(43) };
      return (await postJson(paths.signIn, { action: "complete", csrf, ...wrong })).status;
    },
    async changePassword(current: Person, password: string, isEverywhere = false) {
      const form = await readForm(paths.waysInPage, "password");
      const begun = await postJson(paths.password, { action: "begin", csrf: form.csrf });
      if (begun.status !== 200) return begun;
      const proof = await prove((await begun.json()) as ProofChallenge, form, current);
      const verifier = await createWireVerifier(password);
      return postJson(paths.password, { ...proof, verifier, [paths.everywhere]: isEverywhere });
    },
    async setFirstPassword(password: string, csrf?: string): Promise<Response> {
      const verifier = await createWireVerifier(password);
      return postJson(paths.password, {
        action: "set",
        csrf: csrf ?? (await readCsrf()),
        verifier,
      });
    },
    async beginAdd(): Promise<Response> {
      return postJson(paths.addPasskey, { action: "begin", csrf: await readCsrf() });
    },
    async tryAddPasskey(name = "Phone", given: Deviations = {}) {
      const creation = (await (await browser.beginAdd()).json()) as PasskeyCreation;
      const { passkey, credential } = authenticator.create(creation, given);
      const body = { action: "complete", csrf: await readCsrf(), name, credential };
      return { passkey, response: await postJson(paths.addPasskey, body) };
    },
    async addPasskey(name?: string, given?: Deviations): Promise<SoftwarePasskey> {
      const { passkey, response } = await browser.tryAddPasskey(name, given);
      assert.equal(response.status, 200, await response.clone().text());
      return passkey;
    },
    beginPasskey,
    async trySignInWithPasskey(passkey: SoftwarePasskey, given?: Deviations): Promise<Response> {
      const { respond } = await beginPasskey();
      return postJson(paths.signInWithPasskey, respond(passkey, given));
    },
    async signInWithPasskey(passkey: SoftwarePasskey, given?: Deviations): Promise<void> {
      const response = await browser.trySignInWithPasskey(passkey, given);
      assert.equal(response.status, 200, await response.clone().text());
    },
    useSignInLink: (link: string) => postJson("/sign-in-link", { link }),
    async welcome(body: object, headers: SentHeaders = {}) {
      const response = await postJson("/welcome", body, headers);
      const json = (await response.json()) as Readonly<Record<string, unknown>>;
      return { status: response.status, json, kind: json["kind"] };
    },
    async welcomeWithPassword(link: string, { username, password }: Person) {
      const verifier = await createWireVerifier(password);
      return browser.welcome({ action: "password", link, username, verifier });
    },
    async welcomeWithPasskey(link: string, username: string, given: Deviations = {}) {
      const begun = await browser.welcome({ action: "passkey-begin", link, username });
      const creation = begun.json["creation"] as PasskeyCreation;
      const { passkey, credential } = authenticator.create(creation, given);
      const body = { action: "passkey", link, username, name: "Phone", credential };
      return { passkey, body, result: await browser.welcome(body) };
    },
  };
  return browser;
}
