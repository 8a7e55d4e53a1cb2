/** A day of an app on two devices, with a word that nothing else has in every place that an app can fill. */
import assert from "node:assert/strict";
import type { SyncClient } from "../../../src/client/index.ts";
import { stored, syncAll } from "../sync/world.ts";

const TYPE = "zwetschgen";
const COUNTER = "Zaehlfeldname";
const SET = "Mengenfeldname";
const ORDER = "Reihenfeldname";
const TITLE = "Titelfeldname";

/** The words that are still there when the day ends. */
export const LASTING_WORDS = [
  TYPE,
  COUNTER,
  SET,
  ORDER,
  TITLE,
  "Kaiserschmarrn",
  "Rhabarberkompott",
  "Sonnenblume",
  "Bergwanderung",
  "Quittengelee",
  "Umschlagfarbe",
  "Pistaziengrün",
  "Verschachtelt",
  "8472615390127",
  "Wiederkehrer",
  "Himbeergeist",
  "Spaetschicht",
];

/** Those that an edit replaced or deleted. */
const FORMER_WORDS = ["Erdbeerkuchen", "Regenwetter", "Abschiedsbrief", "Mirabellenbaum"];

/** Those that no device may send, because the edit was refused. */
export const REFUSED_WORDS = ["Geheimnisfeld", "Loesungswort"];

export const SENT_WORDS = [...LASTING_WORDS, ...FORMER_WORDS];

/** `rotate` replaces the key of both devices, where they have one. */
export async function liveADay(
  phone: SyncClient,
  tablet: SyncClient,
  rotate: () => Promise<void>,
): Promise<void> {
  const [onPhone, onTablet] = [phone, tablet].map((client) =>
    client.collection(TYPE, {
      kinds: { [COUNTER]: "counter", [SET]: "set", [ORDER]: "order" },
    }),
  );
  assert.ok(onPhone !== undefined && onTablet !== undefined);
  const plum = "Kaiserschmarrn";
  await stored(
    onPhone.create(
      { [TITLE]: "Erdbeerkuchen", [COUNTER]: 1, [SET]: ["Sonnenblume", "Regenwetter"] },
      { id: plum },
    ),
  );
  await stored(onPhone.create({ [TITLE]: { Verschachtelt: [8472615390127] } }, { id: "second" }));
  await stored(
    phone.create("note/1", { text: "Quittengelee" }, { Umschlagfarbe: "Pistaziengrün" }),
  );
  await stored(phone.create("note/Abschiedsbrief", { text: "Mirabellenbaum" }));
  await stored(phone.create("note/Wiederkehrer", { text: "Himbeergeist" }));
  await syncAll(phone, tablet);

  await stored(onTablet.increment(plum, COUNTER, 41));
  await stored(onTablet.addTo(plum, SET, "Bergwanderung"));
  await stored(onTablet.removeFrom(plum, SET, "Regenwetter"));
  await stored(onTablet.move("second", { first: true }));
  await stored(phone.remove("note/Abschiedsbrief"));
  await stored(phone.remove("note/Wiederkehrer"));
  const together = await phone.transaction((edit) => {
    edit(onPhone).patch(plum, { [TITLE]: "Rhabarberkompott" });
    edit(onPhone).increment(plum, COUNTER, 1);
  });
  assert.equal(together.kind, "stored");
  await syncAll(phone, tablet);

  await rotate();
  await stored(tablet.restore("note/Wiederkehrer"));
  await stored(phone.patch("note/1", {}, { Dienst: "Spaetschicht" }));
  for (const payload of [{ password: "Loesungswort" }, { Geheimnisfeld: Infinity }]) {
    assert.equal((await phone.patch("note/1", payload)).kind, "refused");
  }
  await syncAll(phone, tablet);
  for (const client of [phone, tablet]) {
    assert.equal(client.entities.get("note/Wiederkehrer")?.payload["text"], "Himbeergeist");
    assert.equal(client.entities.get("note/1")?.metadata["Dienst"], "Spaetschicht");
  }
  for (const tasks of [onPhone, onTablet]) {
    assert.deepEqual(tasks.get(plum)?.[SET], ["Bergwanderung", "Sonnenblume"]);
    assert.equal(tasks.get(plum)?.[COUNTER], 43);
  }
}
