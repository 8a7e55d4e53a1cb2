/** One sign-in, from the typed name and password to the address the browser goes to. */
import { provePassword } from "../../rules/identity/prove-password.ts";
import type { SignInExchange } from "./exchange.ts";
import type { SignInData } from "./login-data.ts";
import type { RequestError } from "./post.ts";

export type LoginProblem =
  | RequestError
  | { readonly kind: "expired" }
  /** The server could not show that it knows the password: it may be somebody else's. */
  | { readonly kind: "forged" }
  /** The server asked for so weak a derivation that guessing would be easy, or for an endless one. */
  | { readonly kind: "weakened" };

export type LoginResult = { readonly kind: "signed-in"; readonly target: string } | LoginProblem;

export interface LoginSteps {
  onDeriving(): void;
  /** Called when the password is no longer needed, before anything made from it is sent. */
  onProving(): void;
}

export interface Login extends Pick<SignInData, "purpose" | "attempt"> {
  readonly username: string;
  readonly password: string;
  readonly exchange: SignInExchange;
}

export async function runLogin(
  { exchange, ...login }: Login,
  steps: LoginSteps,
): Promise<LoginResult> {
  const challenge = await exchange.begin(login.username);
  if ("kind" in challenge) return challenge;
  steps.onDeriving();
  const proof = await provePassword({ ...login, challenge });
  if (proof.kind !== "proved") return { kind: "weakened" };
  steps.onProving();
  const completion = await exchange.complete(challenge.challengeId, proof);
  if ("kind" in completion) {
    const late = completion.kind === "refused" && Date.now() >= challenge.endsAt;
    return late ? { kind: "expired" } : completion;
  }
  if (completion.serverSignature !== proof.expectedServerSignature) return { kind: "forged" };
  return { kind: "signed-in", target: completion.target };
}
