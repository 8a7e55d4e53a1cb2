import { expectProofAccepted } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const serverSignatureProvesTheService: EventsCase = {
  id: "server-signature-proves-the-service",
  level: "trellis",
  title: "A sign-in ends with the proof that the service knows the account",
  section: "Trellis decision, events service: sign-in, as the sync service's",
  async run(target) {
    const { username, password } = target.account();
    const begun = await target.newBrowser().beginSignIn("/sign-in", username);
    const { answer, expectedServerSignature } = await begun.complete(password);
    const { serverSignature } = expectProofAccepted(answer);
    if (serverSignature !== expectedServerSignature) {
      violate(answer.asked, "the server signature of this exchange", "another");
    }
  },
};
