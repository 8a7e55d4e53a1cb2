/** A browser on the owner's page, as far as the service sees it. */
import { createAuthenticator } from "../../../conformance/authenticator.ts";
import type { PasskeyCreation } from "../../../src/contract/passkey.ts";
import type { ProofChallenge } from "../../../src/contract/password-proof.ts";
import { createWireVerifier } from "../../fixtures/password-keys.ts";
import type { Ask } from "../sync-client.ts";
import { toProof, type SentProof } from "./app-sign-in.ts";
import { ANNA } from "./sync-service.ts";

const KNOWN_BROWSER = "Trellis-Known-Browser";

const AUTHENTICATOR = createAuthenticator("http://localhost:4811");

export type OwnerBrowser = ReturnType<typeof createOwnerBrowser>;

export interface FormData {
  readonly csrf: string;
  readonly attempt: { readonly interaction: string };
}

export function createOwnerBrowser(ask: Ask, userAgent = "") {
  const cookies = new Map<string, string>();
  let known: string | null = null;
  /** The page that is open: its token belongs to the proofs that it makes. */
  let signInForm: FormData | null = null;

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("Accept")) headers.set("Accept", "text/html");
    headers.set("Cookie", cookieHeader());
    if (userAgent !== "") headers.set("User-Agent", userAgent);
    if (known !== null) headers.set(KNOWN_BROWSER, known);
    const response = await ask(path, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    known = response.headers.get(KNOWN_BROWSER) ?? known;
    return response;
  }

  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  function postJson(path: string, body: object, headers: Record<string, string> = {}) {
    const all = { "Content-Type": "application/json", Accept: "*/*", ...headers };
    return send(path, { method: "POST", headers: all, body: JSON.stringify(body) });
  }

  /** The data of the form that proves a password. */
  async function readForm(name: "login" | "password"): Promise<FormData> {
    const page = await (await send(name === "login" ? "/" : "/?tab=sign-in")).text();
    const [, data] = new RegExp(`data-${name}="([^"]*)"`).exec(page) ?? [];
    if (data === undefined) throw new Error(`The page has no form "${name}"`);
    return JSON.parse(data.replaceAll("&quot;", '"').replaceAll("&#39;", "'")) as FormData;
  }

  /** Every form of a signed-in page has the token. */
  async function readSessionCsrf(): Promise<string> {
    const page = await (await send("/")).text();
    return /name="csrf" value="([^"]*)"/.exec(page)?.[1] ?? "";
  }

  async function prove(
    path: string,
    { csrf, attempt }: FormData,
    account: { readonly username: string; readonly password: string },
    begin: object,
    complete: object = {},
  ): Promise<Response> {
    const begun = await postJson(path, { action: "begin", csrf, ...begin });
    if (begun.status !== 200) return begun;
    const proof = await toProof((await begun.json()) as ProofChallenge, attempt, account);
    return postJson(path, { action: "complete", csrf, ...proof, ...complete });
  }

  return {
    cookies,
    cookieHeader,
    send,
    postJson,
    readForm,
    /** As the script of the page does it. */
    async signIn(account = ANNA, complete: object = {}): Promise<Response> {
      const form = await readForm("login");
      return prove("/owner/sign-in", form, account, { username: account.username }, complete);
    },
    /** A valid proof, which is not sent. */
    async prove(): Promise<SentProof> {
      const { csrf, attempt } = await readForm("login");
      signInForm = { csrf, attempt };
      const begin = { action: "begin", csrf, username: ANNA.username };
      const begun = await postJson("/owner/sign-in", begin);
      return toProof((await begun.json()) as ProofChallenge, attempt);
    },
    async complete(proof: SentProof): Promise<Response> {
      signInForm ??= await readForm("login");
      return postJson("/owner/sign-in", { action: "complete", csrf: signInForm.csrf, ...proof });
    },
    async changePassword(
      newPassword: string,
      given: object = {},
      account = ANNA,
    ): Promise<Response> {
      const form = await readForm("password");
      const verifier = await createWireVerifier(newPassword);
      const complete = { verifier, signOutDevices: false, ...given };
      return prove("/owner/password", form, account, {}, complete);
    },
    /** A passkey, and the response to its addition. */
    async addPasskey(name = "Phone") {
      const csrf = await readSessionCsrf();
      const begun = await postJson("/owner/passkeys", { action: "begin", csrf });
      if (begun.status !== 200) return { response: begun, passkey: null };
      const made = AUTHENTICATOR.create((await begun.json()) as PasskeyCreation);
      const body = { action: "complete", csrf, name, credential: made.credential };
      return { response: await postJson("/owner/passkeys", body), passkey: made.passkey };
    },
    async submit(members: Readonly<Record<string, string>>): Promise<Response> {
      const csrf = await readSessionCsrf();
      return send("/", { method: "POST", body: new URLSearchParams({ csrf, ...members }) });
    },
    readPage: async (path = "/") => (await send(path)).text(),
  };
}
