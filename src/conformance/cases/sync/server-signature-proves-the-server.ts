import { expectSame } from "../../expect.ts";
import { expectCompleted } from "../../sync/bodies.ts";
import { challenge, prove, complete, type Completion } from "../../sync/sign-in.ts";
import type { SyncCase } from "../../sync/target.ts";

export const serverSignatureProvesTheServer: SyncCase = {
  id: "server-signature-proves-the-server",
  title:
    "The server's signature is the one that only a server with the account's verifier can make",
  section: "Trellis decision, sync service: serverSignature",
  async run(target) {
    const challenged = await challenge(target);
    const { clientNonce, proof, expectedServerSignature } = await prove(target, challenged);
    const { challengeId } = challenged.challenge;
    const csrf = challenged.attempt.state;
    const body: Completion = { action: "complete", csrf, challengeId, clientNonce, proof };
    const answer = await complete(target, body);
    const { serverSignature } = expectCompleted(answer);
    expectSame(answer, "serverSignature", serverSignature, expectedServerSignature);
  },
};
