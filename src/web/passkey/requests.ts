/** The two requests of a sign-in with a passkey. */
import type { PasskeyAssertion, PasskeyRequest } from "../../contract/passkey.ts";
import type { PostResponse, RequestError } from "../login/post.ts";

export interface PasskeySignInRequests {
  begin(): Promise<BegunSignIn | RequestError>;
  /** `target` is where the browser goes next. */
  complete(
    credential: PasskeyAssertion,
  ): Promise<{ readonly kind: "signed-in"; readonly target: string } | RequestError>;
}

type BegunSignIn = { readonly kind: "begun" } & Pick<PasskeyRequest, "challenge" | "rpId">;

export interface PasskeyRequestSettings {
  post(body: object): Promise<PostResponse | RequestError>;
  /** Reads where the browser goes next; null for a response that does not say so. */
  onAccepted(response: PostResponse): string | null;
}

export function createPasskeyRequests({
  post,
  onAccepted,
}: PasskeyRequestSettings): PasskeySignInRequests {
  return {
    async begin() {
      const response = await post({ action: "begin" });
      if (response.kind !== "json") return response;
      const { challenge, rpId } = response.body;
      return typeof challenge === "string" && typeof rpId === "string"
        ? { kind: "begun", challenge, rpId }
        : { kind: "unexpected", reference: response.reference };
    },
    async complete(credential) {
      const response = await post({ action: "complete", credential });
      if (response.kind !== "json") return response;
      const target = onAccepted(response);
      return target === null
        ? { kind: "unexpected", reference: response.reference }
        : { kind: "signed-in", target };
    },
  };
}
