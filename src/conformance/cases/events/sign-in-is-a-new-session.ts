import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const signInIsANewSession: EventsCase = {
  id: "sign-in-is-a-new-session",
  level: "trellis",
  title: "A sign-in sets a session cookie that was not there before",
  section: "Trellis decision, events service: a new session id at sign-in",
  async run(target) {
    const browser = target.newBrowser();
    const account = target.account();
    await browser.signIn("/sign-in", account);
    const first = new Map(browser.cookies);
    const other = target.newBrowser();
    await other.signIn("/sign-in", account);
    const same = [...other.cookies].filter(([name, value]) => first.get(name) === value);
    if (same.length > 0) violate("POST /sign-in", "new cookies", "the same as before");
  },
};
