/** One sign-in, from the typed name and password to the address the browser goes to. */
import type { IdentityPrimitives } from "../../rules/identity/primitives.ts";
import { provePassword } from "../../rules/identity/prove-password.ts";
import { appendToRedirect } from "../../rules/identity/redirect.ts";
import { beginLogin, completeLogin, type RequestProblem } from "./exchange.ts";
import type { LoginData } from "./login-data.ts";

export type LoginProblem =
  | RequestProblem
  | { readonly kind: "expired" }
  /** The server could not show that it knows the password: it may be somebody else's. */
  | { readonly kind: "forged" }
  /** The server asked for so weak a derivation that guessing would be easy, or for an endless one. */
  | { readonly kind: "weakened" };

export type LoginOutcome = { readonly kind: "signed-in"; readonly target: string } | LoginProblem;

export interface LoginSteps {
  onDeriving(): void;
  /** Called when the password is no longer needed, before anything made from it is sent. */
  onProving(): void;
}

export async function runLogin(
  primitives: IdentityPrimitives,
  data: LoginData,
  { username, password }: { readonly username: string; readonly password: string },
  steps: LoginSteps,
): Promise<LoginOutcome> {
  const challenge = await beginLogin(data, username);
  if ("kind" in challenge) return challenge;
  steps.onDeriving();
  const { purpose, attempt, delivery } = data;
  const login = { purpose, username, password, attempt, challenge };
  const proof = await provePassword(primitives, login);
  if (proof.kind !== "proved") return { kind: "weakened" };
  steps.onProving();
  const completion = await completeLogin(data, challenge.challengeId, proof);
  if ("kind" in completion) {
    const late = completion.kind === "refused" && Date.now() >= challenge.endsAt;
    return late ? { kind: "expired" } : completion;
  }
  if (completion.serverSignature !== proof.expectedServerSignature) return { kind: "forged" };
  const { redirectUri, state } = attempt;
  const target = appendToRedirect(redirectUri, { code: completion.code, state }, delivery);
  return { kind: "signed-in", target };
}
