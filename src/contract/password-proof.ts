/** The bodies by which a page's script proves a password to its own service, as JSON Schema 2020-12. */
import Type from "typebox";

const closed = { additionalProperties: false } as const;
const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

/** Members of every completed proof. */
export const proofMembers = {
  action: Type.Literal("complete"),
  csrf: Text,
  challengeId: Text,
  clientNonce: Text,
  proof: Text,
};

export const SignInBegin = Type.Object(
  { action: Type.Literal("begin"), csrf: Text, username: Text },
  closed,
);
export const SignInComplete = Type.Object(proofMembers, closed);

/** Begins a proof of the signed-in account's password. */
export const ChangePasswordBegin = Type.Object(
  { action: Type.Literal("begin"), csrf: Text },
  closed,
);
/** What a service stores of a new password. */
export const NewVerifier = Type.Object(
  { salt: Text, iterations: Count, storedKey: Text, serverKey: Text },
  closed,
);

export const ProofChallenge = Type.Object(
  {
    challengeId: Text,
    salt: Text,
    iterations: Count,
    serverNonce: Text,
    expiresAt: Type.String({ format: "date-time" }),
  },
  closed,
);
export const ProofAccepted = Type.Object(
  { serverSignature: Text, next: Type.String({ description: "The path to go to" }) },
  closed,
);
export const ProofResponse = Type.Union([ProofChallenge, ProofAccepted]);
