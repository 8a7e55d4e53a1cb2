/** The history of sign-ins that a person sees. */
import assert from "node:assert/strict";
import {
  ANNA,
  MINUTE_MS,
  testOnBothServices,
  testOnBothServicesAndStores,
  type AccountsUnderTest,
} from "./account-services.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

async function readHistory({ transaction }: AccountsUnderTest) {
  const items = await transaction(async ({ identity }) => {
    const account = await identity.findAccount(ANNA.username);
    return identity.listSignIns(account?.accountId ?? "");
  });
  return items.map(({ result, purpose, method, isNew, tries, network }) =>
    [result, purpose, method, isNew ? "new" : "known", tries, network].join(" "),
  );
}

testOnBothServicesAndStores(
  "sign-ins, refusals and changes of the ways in are noted",
  async (start, { name }) => {
    const accounts = await start();
    const { clock, createBrowser } = accounts;
    const stranger = createBrowser("curl/8", "203.0.113.9");
    for (const username of [ANNA.username, "berta", ANNA.username]) {
      clock.now += MINUTE_MS;
      assert.equal(await stranger.guess(username), 401);
    }
    const browser = createBrowser(FIREFOX);
    const step = async (work: () => Promise<unknown>) => {
      clock.now += MINUTE_MS;
      await work();
    };
    await step(() => browser.signIn(ANNA));
    await step(() => browser.changePassword({ ...ANNA, password: "not the password" }, "x"));
    const passkey = await browser.addPasskey();
    await step(() => browser.signOut());
    await step(() => browser.signInWithPasskey(passkey, { counter: 9 }));
    await step(() => stranger.trySignInWithPasskey(passkey, { counter: 8 }));
    await step(() => stranger.trySignInWithPasskey(passkey, { userVerified: false }));
    await step(() => stranger.trySignInWithPasskey(passkey, { challenge: "A".repeat(75) }));
    const removal = { action: "remove-passkey", passkey: passkey.id };
    await step(() => browser.submit(removal));
    await step(() => browser.changePassword(ANNA, "another horse battery staple"));
    // Sync has one account, whose owner learns of every name; of another account a person learns nothing.
    const guesses = name === "sync" ? 3 : 2;
    assert.deepEqual(await readHistory(accounts), [
      "accepted password password known 1 192.0.2.0/24",
      "accepted passkey-removed password known 1 192.0.2.0/24",
      `refused page passkey known ${guesses + 2} 203.0.113.0/24`,
      "accepted page passkey known 1 192.0.2.0/24",
      "accepted passkey-added password known 1 192.0.2.0/24",
      "refused password password known 1 192.0.2.0/24",
      "accepted page password new 1 192.0.2.0/24",
    ]);
    const page = await browser.send(name === "sync" ? "/?tab=history" : accounts.paths.waysInPage);
    const text = (await page.text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    assert.match(text, /Passkey not accepted refused \d times Unknown browser from 203\.0\.113\.0/);
    assert.match(text, /Signed in to this page new browser Firefox on Linux from 192\.0\.2\.0\/24/);
    assert.doesNotMatch(text, /berta|203\.0\.113\.9/, "neither names nor whole addresses");
  },
);

testOnBothServices("a link that was used is noted", async (start) => {
  const accounts = await start({ isEmpty: true });
  const { createBrowser, clock } = accounts;
  const used = await createBrowser().welcomeWithPassword(await accounts.invite(), ANNA);
  assert.equal(used.kind, "done");
  clock.now += MINUTE_MS;
  const { result } = await createBrowser().welcomeWithPasskey(await accounts.resetLink(), "x");
  assert.equal(result.kind, "done");
  assert.deepEqual(await readHistory(accounts), [
    "accepted reset passkey new 1 192.0.2.0/24",
    "accepted invitation password new 1 192.0.2.0/24",
  ]);
});
