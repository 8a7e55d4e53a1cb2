import { expectError } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectHeader } from "../../expect.ts";

export const wrongPasswordsSignNobodyIn: EventsCase = {
  id: "wrong-passwords-sign-nobody-in",
  level: "trellis",
  title: "A wrong password is authentication_failed and sets no cookie",
  section: "Trellis decision, events service: sign-in",
  async run(target) {
    const { username, password } = target.account();
    const begun = await target.newBrowser().beginSignIn("/sign-in", username);
    const { answer } = await begun.complete(`${password}, or not`);
    expectError(answer, "authentication_failed");
    expectHeader(answer, "Set-Cookie", undefined);
    // The throttle forgets a failure when the right password follows.
    await target.newBrowser().signIn("/sign-in", target.account());
  },
};
