import { DAY_MS } from "../../../src/contract/durations.ts";
import type { IdentityRecords } from "../../../src/identity/identity-records.ts";
import {
  NOW,
  sampleAccount,
  sampleChallenge,
  sampleKnownBrowser,
  samplePasskey,
  sampleSecret,
  sampleSignIn,
} from "../../../store-contract/samples.ts";

/** Uses everything that a store has of accounts. Leaves the account of that name. */
export async function liveIdentity(identity: IdentityRecords, name: string): Promise<void> {
  const account = sampleAccount(name);
  await identity.addAccount(account);
  await identity.findAccount(name);
  await identity.listAccounts();
  await identity.replaceVerifier(account.accountId, "c2VhbGVk", NOW);

  for (const id of ["one", "two", "three"])
    await identity.addChallenge(sampleChallenge(`${id} of ${name}`), { maxLive: 2, maxKnown: 1 });
  await identity.takeChallenge(`three of ${name}`);
  await identity.removeChallenges("Zoë 🌱");

  const secret = sampleSecret(`secret of ${name}`);
  const { hash, purpose } = secret;
  await identity.addSecret(secret);
  await identity.consumeSecret(hash, purpose, NOW);
  await identity.consumeSecret(hash, purpose, NOW);
  await identity.findSecret(hash, purpose);
  await identity.listSecrets(purpose);
  await identity.removeSecret(hash, purpose);
  await identity.removeUnusedSecrets(purpose);

  await identity.addUsedSecret(sampleSecret(`used of ${name}`), NOW);

  const passkey = samplePasskey(`passkey of ${name}`, { accountId: account.accountId });
  const { accountId, credentialId } = passkey;
  await identity.addPasskey(passkey);
  await identity.findPasskey(credentialId);
  await identity.listPasskeys(accountId);
  await identity.usePasskey(credentialId, 1, NOW);
  await identity.renamePasskey(accountId, credentialId, "Laptop");
  await identity.removePasskey(accountId, credentialId);
  await identity.removePasskeys(accountId);

  const bounds = { maxTokens: 2, maxUnconfirmed: 2, maxConfirmed: 2 };
  for (const hash of ["one", "two", "three"]) {
    const browser = sampleKnownBrowser(`${hash} of ${name}`, { accountId: account.accountId });
    await identity.addKnownBrowser(browser, bounds);
  }
  const [known] = await identity.findKnownBrowsers([`one of ${name}`, `three of ${name}`], NOW);
  if (known === undefined) throw new Error("No browser is known");
  await identity.confirmKnownBrowser(known, bounds);
  await identity.limitKnownBrowser(known.hash, NOW);
  await identity.removeKnownBrowsers(account.accountId);

  await identity.writeFailure("name", {
    failures: 1,
    lastFailureAt: NOW,
    blockedUntil: NOW + DAY_MS,
  });
  await identity.readFailures(["name", "network"]);
  await identity.clearFailures(["name", "network"]);
  for (const result of ["accepted", "refused", "refused"] as const) {
    const bounds = { maxEach: 1, windowMs: DAY_MS };
    await identity.noteSignIn(account.accountId, sampleSignIn({ result }), bounds);
  }
  await identity.listSignIns(account.accountId);
  await identity.countSecurityEvent("worker-death", NOW);
  await identity.listSecurityCounts();
}
