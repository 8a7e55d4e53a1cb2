/** The first page: what Trellis is, one picture of it, and the ways in. */
import type { Language } from "../src/contract/language.ts";
import { html, type Html } from "../src/web/html.ts";
import { FILMS, FILM_SIZE } from "./film.ts";
import { renderCode } from "./highlight.ts";
import { LANDING_SAMPLE } from "./landing-sample.ts";
import { LANDING_TEXTS } from "./landing-texts.ts";
import {
  COMPARISON,
  isQuickStart,
  QUICK_STARTS,
  SECTIONS,
  WAYS,
  type Section,
} from "./navigation.ts";
import { entryPages, LANDING, pageLink, topPages } from "./contents.ts";
import { renderFrame, type SiteContext } from "./page-frame.ts";
import { relativeUrl } from "./site-files.ts";
import { WHOLE_PICTURES, WHOLE_SIZES } from "./whole-picture.ts";
import { WHOLE_ALTERNATIVE } from "./whole-texts.ts";

export function renderLanding(site: SiteContext, language: Language): string {
  const texts = LANDING_TEXTS[language];
  return renderFrame(site, {
    path: LANDING[language],
    language,
    title: texts.title,
    description: texts.lead,
    translations: LANDING,
    main: landingMain(site, language),
  });
}

function landingMain(site: SiteContext, language: Language): Html {
  const texts = LANDING_TEXTS[language];
  const others = SECTIONS.slice(WAYS.length);
  const [quickStarts] = entryPages(site.pages, [QUICK_STARTS], language);
  return html`<div class="hero">
      <h1>${texts.headline}</h1>
      <p class="lead">${texts.lead}</p>
      <div class="row actions">
        <div class="code">
          <p class="code-bar"><span>${texts.tryIt}</span></p>
          <pre><code>npm ci && npm start</code></pre>
        </div>
        ${
          quickStarts !== undefined &&
          html`<a class="button primary" href="${relativeUrl(LANDING[language], quickStarts.path)}"
            >${texts.begin}</a
          >`
        }
      </div>
    </div>
    ${wholePicture(language)} ${why(site, language)} ${show(site, language)}
    <section class="cards" aria-label="${texts.ways}">
      ${WAYS.map((section) => wayCard(site, section, language))}
    </section>
    <section class="rest" aria-label="${texts.more}">
      ${others.map((section) => linkList(site, section, language))}
    </section>
    ${texts.english !== "" && html`<p class="fine">${texts.english}</p>`}`;
}

function why(site: SiteContext, language: Language): Html {
  const comparison = entryPages(site.pages, [COMPARISON], language);
  return html`<section class="why">
    ${LANDING_TEXTS[language].why.map(
      ([title, text]) =>
        html`<div>
          <h2>${title}</h2>
          <p>${text}</p>
        </div>`,
    )}
    <ul>
      ${comparison.map((page) => pageLink(page, LANDING[language], language))}
    </ul>
  </section>`;
}

/** The film, where there is one, beside what an app writes. */
function show({ assets }: SiteContext, language: Language): Html {
  const texts = LANDING_TEXTS[language];
  const film = assets.films?.[language];
  const url = (target: string) => relativeUrl(LANDING[language], target);
  return html`<section class="show">
    ${
      film !== undefined &&
      html`<figure>
        <video
          controls
          muted
          playsinline
          preload="none"
          width="${FILM_SIZE.width}"
          height="${FILM_SIZE.height}"
          poster="${url(FILMS[language].poster)}"
          src="${url(film)}"
          aria-label="${texts.filmTitle}"
          aria-describedby="film"
        ></video>
        <figcaption class="fine" id="film">${texts.film}</figcaption>
      </figure>`
    }
    <div>
      ${renderCode(LANDING_SAMPLE.trim(), "ts")}
      <p class="fine">${texts.sample}</p>
    </div>
  </section>`;
}

function wholePicture(language: Language): Html {
  const from = LANDING[language];
  const [wide, narrow] = WHOLE_PICTURES.filter((picture) => picture.language === language).map(
    ({ path }) => relativeUrl(from, path),
  );
  const [width, height] = WHOLE_SIZES.wide;
  const [narrowWidth, narrowHeight] = WHOLE_SIZES.narrow;
  return html`<picture class="whole">
    <source
      media="(max-width: 43.99rem)"
      srcset="${narrow}"
      width="${narrowWidth}"
      height="${narrowHeight}"
    />
    <img src="${wide}" width="${width}" height="${height}" alt="${WHOLE_ALTERNATIVE[language]}" />
  </picture>`;
}

function wayCard(site: SiteContext, section: Section, language: Language): Html {
  const texts = LANDING_TEXTS[language];
  const pages = entryPages(site.pages, section.entries, language);
  const starts = pages.filter(({ source }) => isQuickStart(source));
  const guides = pages.filter(({ source }) => !isQuickStart(source));
  return html`<article class="way panel" id="${section.id}">
    <h2>${section.title[language]}</h2>
    <p>${texts.about[section.id]}</p>
    <ul class="starts">
      ${starts.map(
        (page) =>
          html`<li>
            <a href="${relativeUrl(LANDING[language], page.path)}"
              ><span>${texts.minutes}</span> <strong>${page.title}</strong></a
            >
          </li>`,
      )}
    </ul>
    <ul>
      ${guides.map((page) => pageLink(page, LANDING[language], language))}
    </ul>
  </article>`;
}

function linkList(site: SiteContext, section: Section, language: Language): Html {
  const pages = topPages(site.pages, section.entries, language);
  return html`<section id="${section.id}">
    <h2>${section.title[language]}</h2>
    <ul>
      ${pages.map((page) => pageLink(page, LANDING[language], language))}
    </ul>
  </section>`;
}
