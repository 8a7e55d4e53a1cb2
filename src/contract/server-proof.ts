/** How a server proves its instance key to an operator, on the health routes of sync and events. */
import Type from "typebox";

/** 32 random bytes in a request for the health of a service. */
export const CHALLENGE_HEADER = "Trellis-Challenge";
export const PROOF_HEADER = "Trellis-Proof";

export const SERVER_PROOF = {
  requestHeaders: {
    [CHALLENGE_HEADER]: {
      description: "43 characters of Base64URL; anything else is ignored",
      schema: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
    },
  },
  responseHeaders: {
    [PROOF_HEADER]: {
      description:
        "With a challenge: an HMAC-SHA-256 of the public address and the challenge, under a key that is derived from the instance key",
    },
  },
} as const;
