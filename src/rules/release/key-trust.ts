/**
 * Decides which pinned keys a client trusts, given what the keys say about each other. A revocation
 * counts while the key that signed it is trusted. Where that goes in a circle, as when two keys revoke
 * each other, one of them is stolen and a client cannot know which: it trusts none of them.
 *
 * The result depends on the set of revocations alone and not on their order, so a thief gains nothing by
 * being first. A key that a trusted key revoked is never trusted, and a circle is resolved by a trusted
 * key outside it. (The least fixed point, as the grounded extension of an argumentation framework.)
 */

/** Revoked keys by the key that signed the revocation. Keys are public keys in Base64URL. */
export type Revocations = Readonly<Record<string, readonly string[]>>;

/** A contested key was revoked by a key of which it is not known whether it is trusted. */
export type KeyStanding = "trusted" | "revoked" | "contested";

export type KeyStandings = ReadonlyMap<string, KeyStanding>;

/** Judges every pinned key. What a key says that is no longer pinned does not count. */
export function judgeKeys(pinned: Iterable<string>, revocations: Revocations): KeyStandings {
  const standings = new Map<string, KeyStanding>();
  for (const key of pinned) standings.set(key, "contested");
  const revokersOf = (key: string) =>
    [...standings.keys()].filter((revoker) => revokes(revocations, revoker, key));
  const judge = (key: string): KeyStanding => {
    const revokers = revokersOf(key).map((revoker) => standings.get(revoker));
    if (revokers.includes("trusted")) return "revoked";
    return revokers.every((standing) => standing === "revoked") ? "trusted" : "contested";
  };
  // Each round judges at least one more key, or is the last.
  for (let judged = true; judged;) {
    judged = false;
    for (const [key, standing] of standings) {
      if (standing !== "contested" || judge(key) === "contested") continue;
      standings.set(key, judge(key));
      judged = true;
    }
  }
  return standings;
}

/** A key cannot revoke itself, or a stolen one could leave the client with none. */
export function revokes(revocations: Revocations, revoker: string, key: string): boolean {
  const revoked = Object.hasOwn(revocations, revoker) ? revocations[revoker] : undefined;
  return revoker !== key && revoked?.includes(key) === true;
}

/** Returns the same object when the revoker has said all of it before. */
export function addRevocations(
  revocations: Revocations,
  revoker: string,
  revoked: readonly string[],
): Revocations {
  const added = revoked.filter((key) => key !== revoker && !revokes(revocations, revoker, key));
  if (added.length === 0) return revocations;
  const before = Object.hasOwn(revocations, revoker) ? (revocations[revoker] ?? []) : [];
  return { ...revocations, [revoker]: [...before, ...new Set(added)] };
}
