/** What else runs on this machine: every page of the demo, the conformance kit, and what the server sees. */
import type { Language } from "../../../src/contract/language.ts";
import { html, type Html } from "../../../src/web/html.ts";
import { CONFORMANCE_SERVICES } from "./call-demo.ts";
import { LOOK_AROUND_TEXTS, type LookAroundTexts } from "./look-around-texts.ts";

/** The addresses of the demo. */
export interface DemoPlaces {
  readonly website: string;
  readonly release: string;
  readonly smartDownload: string;
  readonly sync: string;
  readonly signIn: string;
  readonly events: string;
  readonly authorize: string;
  /** Null where the documentation is not there, as in the single executable or an image. */
  readonly docs: string | null;
  /** The account, which is the same in both services that have accounts. */
  readonly account: { readonly username: string; readonly password: string };
}

export function renderLookAround(language: Language, places: DemoPlaces): Html {
  const texts = LOOK_AROUND_TEXTS[language];
  return html`<section class="around" id="look-around" aria-labelledby="around">
    <h2 id="around">${texts.heading}</h2>
    <p class="lead">${texts.lead(places.account)}</p>
    <ul class="places">
      ${placeCards(language, places, texts)}
    </ul>
    ${storedSection(texts)} ${conformanceSection(texts)} ${addressList(places, texts)}
  </section>`;
}

function placeCards(language: Language, places: DemoPlaces, texts: LookAroundTexts): Html[] {
  const { cards } = texts;
  const docsHome = language === "de" ? "de/index.html" : "";
  return [
    card(
      cards.planner,
      html`
        <button class="button" id="homework" type="button">${texts.setHomework}</button>
        ${link(`${places.events}/`, texts.open)}
      `,
    ),
    card(cards.download, link(`${places.website}/`, texts.open)),
    card(cards.owner, link(`${places.sync}/`, texts.open)),
    card(
      cards.conformance,
      html`<button class="button" id="run-conformance" type="button">${texts.runKit}</button>`,
    ),
    card(cards.stored, html`<a class="button" href="#stored">${texts.show}</a>`),
    ...(places.docs === null ? [] : [card(cards.docs, link(places.docs + docsHome, texts.open))]),
  ];
}

function card({ title, detail }: { readonly title: string; readonly detail: string }, act: Html) {
  return html`<li class="place panel">
    <h3>${title}</h3>
    <p class="fine">${detail}</p>
    <div class="row acts">${act}</div>
  </li>`;
}

/** In a window of its own, so that the devices go on. */
function link(url: string, text: string): Html {
  return html`<a class="button" href="${url}" target="_blank" rel="noopener">${text}</a>`;
}

/** The script fills it with the newest rows of the database. */
function storedSection(texts: LookAroundTexts): Html {
  return html`<section class="stored panel" aria-labelledby="stored">
    <h3 id="stored" tabindex="-1">${texts.cards.stored.title}</h3>
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

function conformanceSection(texts: LookAroundTexts): Html {
  const services = CONFORMANCE_SERVICES.map(
    (service) =>
      html`<div class="run">
        <h4 id="run-${service}">${texts.services[service]}</h4>
        <p class="fine" id="result-${service}" role="status">${texts.waiting}</p>
        <ul class="cases" id="cases-${service}" tabindex="0" aria-labelledby="run-${service}"></ul>
      </div>`,
  );
  return html`<section class="stored panel" id="conformance" aria-labelledby="kit" hidden>
    <h3 id="kit" tabindex="-1">${texts.cards.conformance.title}</h3>
    <p class="fine">${texts.conformanceDetail}</p>
    <div class="runs">${services}</div>
  </section>`;
}

function addressList(places: DemoPlaces, texts: LookAroundTexts): Html {
  const addresses: readonly (readonly [name: keyof LookAroundTexts["addresses"], url: string])[] = [
    ["latest", `${places.release}/api/v1/releases/latest`],
    ["manifest", `${places.release}/api/v1/manifest`],
    ["smartDownload", `${places.smartDownload}/`],
    ["instance", `${places.sync}/v1/instance-info`],
    ["capabilities", `${places.sync}/v1/capabilities`],
    ["signIn", places.signIn],
    ["authorize", places.authorize],
    ["metadata", `${places.events}/.well-known/oauth-authorization-server`],
  ];
  const rows = addresses.map(
    ([name, url]) =>
      html`<div>
        <dt>${texts.addresses[name]}</dt>
        <dd><a href="${url}" target="_blank" rel="noopener">${url.replace(/\?.*/, "?…")}</a></dd>
      </div>`,
  );
  return html`<details class="more panel stored">
    <summary>${texts.allAddresses}</summary>
    <dl class="addresses">${rows}</dl>
  </details>`;
}
