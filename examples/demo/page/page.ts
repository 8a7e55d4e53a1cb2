/** The page that `trellis demo` opens with: two devices in frames, the server between them. */
import { renderDocument, type DocumentFrame } from "../../../src/web/document.ts";
import { DEMO_SCRIPT } from "../../../src/web/generated/demo-script.ts";
import { DEMO_STYLE } from "../../../src/web/generated/demo-style.ts";
import { html, type Html } from "../../../src/web/html.ts";
import { writePageData } from "../../../src/web/page-script.ts";
import type { DemoDevice, DemoPageData } from "./call-demo.ts";
import type { Language } from "../../../src/contract/language.ts";

export function renderDemoPage(frame: DocumentFrame, data: DemoPageData): string {
  const texts = DEMO_TEXTS[frame.language];
  const [phone, laptop] = data.devices.map((device) => deviceSection(device, texts));
  const main = html`<h1>${texts.heading}</h1>
    <p class="lead">${texts.lead}</p>
    <noscript><p class="lead">${texts.needsScript}</p></noscript>
    <div class="system" id="demo" data-demo="${writePageData(data)}">
      ${phone} ${serverSection(texts)} ${laptop}
    </div>
    ${storedSection(texts)}
    <p class="note fine">${texts.signedIn}</p>`;
  return renderDocument(frame, {
    title: texts.title,
    style: DEMO_STYLE,
    script: DEMO_SCRIPT,
    referrer: "no-referrer",
    main,
  });
}

function deviceSection({ name }: DemoDevice, texts: DemoTexts): Html {
  return html`<section class="device panel" aria-labelledby="${name}">
    <div class="bar">
      <h2 id="${name}">${texts.devices[name]}</h2>
      <button
        class="switch"
        id="${name}-network"
        type="button"
        role="switch"
        aria-checked="true"
        aria-labelledby="${name}-network-label ${name}"
      >
        <span id="${name}-network-label">${texts.network}</span>
        <span class="track" aria-hidden="true"></span>
      </button>
      <p class="state fine" id="${name}-status">${texts.starting}</p>
    </div>
    <iframe id="${name}-frame" title="${texts.frames[name]}" referrerpolicy="no-referrer"></iframe>
    ${log(name, texts)}
  </section>`;
}

function serverSection(texts: DemoTexts): Html {
  const facts = (["entities", "operations", "generation"] as const).map(
    (name) =>
      html`<div>
        <dt>${texts[name]}</dt>
        <dd id="${name}">–</dd>
      </div>`,
  );
  const control = (name: "restore" | "publish" | "homework", detail: string) =>
    html`<div class="control">
      <button class="button" id="${name}" type="button" aria-describedby="${name}-detail">
        ${texts[name]}
      </button>
      <p class="fine" id="${name}-detail">${detail}</p>
    </div>`;
  return html`<section class="server panel" aria-labelledby="server">
    <h2 id="server">${texts.server}</h2>
    <dl>${facts}</dl>
    ${control("restore", texts.restoreDetail)} ${control("publish", texts.publishDetail)}
    ${control("homework", texts.homeworkDetail)} ${log("server", texts)}
  </section>`;
}

/** The script fills it with the newest rows of the database. */
function storedSection(texts: DemoTexts): Html {
  return html`<section class="stored panel" aria-labelledby="stored">
    <h2 id="stored">${texts.stored}</h2>
    <p class="fine">${texts.storedDetail}</p>
    <table id="stored-rows">
      <thead>
        <tr>
          <th scope="col">${texts.fieldName}</th>
          <th scope="col">${texts.value}</th>
          <th scope="col">${texts.bytes}</th>
        </tr>
      </thead>
    </table>
  </section>`;
}

/** A log can be scrolled, so it can be focused. */
function log(name: string, texts: DemoTexts): Html {
  return html`<div class="log">
    <h3 id="${name}-log-label">${texts.log}</h3>
    <div class="lines" role="log" aria-labelledby="${name}-log-label ${name}" tabindex="0">
      <ol id="${name}-log"></ol>
    </div>
  </div>`;
}

const en = {
  title: "Trellis: two devices, one server",
  heading: "Two devices, one server",
  lead: "Both devices run the same habit tracker and sync through the server between them. Tick a habit on one and watch the other. Cut both networks, edit the same habit on both, connect them again: both edits survive.",
  signedIn:
    "The demo has signed both devices in for you, and entered the key of the account. Everything runs on this machine; the server’s sample data is removed when you stop it.",
  stored: "What the server sees",
  storedDetail:
    "The newest operations in its database, as they are there. Both devices encrypt before they send: the server knows which device changed how much and when, and merges field by field, but it can read no name and no value. Only the devices have the key.",
  fieldName: "Field",
  value: "Value",
  bytes: "Bytes",
  needsScript: "This page needs JavaScript. Please allow it for this page and reload it.",
  devices: { phone: "Phone", laptop: "Laptop" },
  frames: { phone: "Habits on the phone", laptop: "Habits on the laptop" },
  network: "Network",
  log: "What just happened",
  starting: "Starting …",
  server: "Server",
  entities: "Entities",
  operations: "Operations in the log",
  generation: "Generation",
  restore: "Restore yesterday’s backup",
  restoreDetail:
    "The server stops, goes back to yesterday evening and starts again. The devices notice and send it what it lost.",
  publish: "Publish a release",
  publishDetail:
    "A new version is drafted, signed and published. Both devices verify the signature and offer it.",
  homework: "Set homework",
  homeworkDetail:
    "A teacher adds homework to the school calendar. One device imports it as a habit, the other gets it by sync.",
};

type DemoTexts = typeof en;

const de: DemoTexts = {
  title: "Trellis: zwei Geräte, ein Server",
  heading: "Zwei Geräte, ein Server",
  lead: "Auf beiden Geräten läuft dieselbe App, abgeglichen über den Server dazwischen. Hake auf einem eine Gewohnheit ab und sieh auf das andere. Trenne beide Netze, ändere auf beiden dieselbe Gewohnheit, verbinde sie wieder: Beide Änderungen bleiben.",
  signedIn:
    "Die Demo hat beide Geräte für dich angemeldet und den Schlüssel des Kontos eingegeben. Alles läuft auf diesem Rechner; die Beispieldaten des Servers werden beim Beenden gelöscht.",
  stored: "Was der Server sieht",
  storedDetail:
    "Die neuesten Operationen in seiner Datenbank, so wie sie dort stehen. Beide Geräte verschlüsseln, bevor sie senden: Der Server weiß, welches Gerät wann wie viel geändert hat, und führt Feld für Feld zusammen, kann aber keinen Namen und keinen Wert lesen. Den Schlüssel haben nur die Geräte.",
  fieldName: "Feld",
  value: "Wert",
  bytes: "Bytes",
  needsScript: "Diese Seite braucht JavaScript. Bitte erlaube es für diese Seite und lade sie neu.",
  devices: { phone: "Telefon", laptop: "Laptop" },
  frames: { phone: "Gewohnheiten auf dem Telefon", laptop: "Gewohnheiten auf dem Laptop" },
  network: "Netz",
  log: "Was gerade geschah",
  starting: "Startet …",
  server: "Server",
  entities: "Einträge",
  operations: "Operationen im Log",
  generation: "Generation",
  restore: "Sicherung von gestern einspielen",
  restoreDetail:
    "Der Server hält an, geht auf gestern Abend zurück und startet wieder. Die Geräte merken es und schicken ihm, was er verloren hat.",
  publish: "Version veröffentlichen",
  publishDetail:
    "Eine neue Version wird entworfen, signiert und veröffentlicht. Beide Geräte prüfen die Signatur und bieten sie an.",
  homework: "Hausaufgabe aufgeben",
  homeworkDetail:
    "Eine Lehrerin trägt eine Hausaufgabe in den Schulkalender ein. Ein Gerät übernimmt sie als Gewohnheit, das andere bekommt sie durch den Abgleich.",
};

const DEMO_TEXTS: Readonly<Record<Language, DemoTexts>> = { en, de };
