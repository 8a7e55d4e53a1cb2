/** The password proof of a sign-in. The password itself is in neither of the two requests. */
import type { PasswordChallenge, SignedAttempt } from "../../rules/identity/auth-message.ts";
import { provePassword, type ProofResult } from "../../rules/identity/prove-password.ts";
import type { PasskeySignInRequests } from "../passkey/requests.ts";
import type { PostResponse, RequestError } from "./post.ts";
import type { SignInMessages } from "./texts.ts";

/** What a page passes to the script of its sign-in. */
export interface SignInData {
  readonly purpose: string;
  readonly attempt: SignedAttempt;
  readonly messages: SignInMessages;
}

/** What a page of its own passes, beside the form. */
export interface SignInPageData extends SignInData {
  /** The origin of the service: at another one the sign-in fails. */
  readonly origin: string;
  /** The address at which a page that was opened at another origin has to be opened. */
  readonly ownAddress: string;
}

export interface SignInRequests {
  begin(username: string): Promise<ChallengeResult>;
  complete(challengeId: string, proof: PasswordProof): Promise<CompletionResult>;
  /** The requests with a passkey instead, to their own endpoint. */
  passkey(endpoint: string): PasskeySignInRequests;
}

export type PasswordProof = Extract<ProofResult, { kind: "proved" }>;

export type ChallengeResult =
  | { readonly kind: "challenge"; readonly challenge: PasswordChallenge }
  | RequestError;

export type CompletionResult =
  | {
      readonly kind: "completed";
      readonly serverSignature: string;
      readonly target: string;
      /** Called when the server has proved itself. */
      readonly onVerified?: () => void;
    }
  | RequestError;

export interface SignInInput extends Pick<SignInData, "purpose" | "attempt"> {
  readonly username: string;
  readonly password: string;
  readonly requests: Pick<SignInRequests, "begin" | "complete">;
}

export interface SignInProgress {
  onDeriving(): void;
  /** The password is no longer needed, and nothing made from it has been sent. */
  onProving(): void;
}

export type SignInFormResult =
  /** `target` is where the browser goes next. */
  { readonly kind: "signed-in"; readonly target: string } | SignInFormError;

export type SignInFormError =
  | RequestError
  /** The server could not prove that it knows the verifier: it may be another server. */
  | { readonly kind: "server-unverified" }
  /** The challenge's parameters would make guessing cheap, or freeze the device. */
  | { readonly kind: "unsafe-challenge" };

export async function signIn(
  { requests, ...login }: SignInInput,
  progress: SignInProgress,
): Promise<SignInFormResult> {
  const begun = await requests.begin(login.username);
  if (begun.kind !== "challenge") return begun;
  const { challenge } = begun;
  progress.onDeriving();
  const proof = await provePassword({ ...login, challenge });
  if (proof.kind !== "proved") return { kind: "unsafe-challenge" };
  progress.onProving();
  const completed = await requests.complete(challenge.challengeId, proof);
  if (completed.kind !== "completed") return completed;
  const { serverSignature, target } = completed;
  if (serverSignature !== proof.expectedServerSignature) return { kind: "server-unverified" };
  completed.onVerified?.();
  return { kind: "signed-in", target };
}

export function readChallenge({ body, reference }: PostResponse): ChallengeResult {
  const { challengeId, salt, iterations, serverNonce } = body;
  if (
    typeof challengeId !== "string" ||
    typeof salt !== "string" ||
    typeof iterations !== "number" ||
    typeof serverNonce !== "string"
  ) {
    return { kind: "unexpected", reference };
  }
  return { kind: "challenge", challenge: { challengeId, salt, iterations, serverNonce } };
}
