/** The film of the landing pages, which `npm run docs:film` makes. A packed package does not have it. */
import type { Language } from "../src/contract/language.ts";

interface Film {
  /** In the repository and in the site. */
  readonly path: string;
  readonly locale: string;
}

export const FILM_SIZE = { width: 1280, height: 720 } as const;
/** The same page, before the film begins. */
export const FILM_POSTER = "docs/pictures/demo.png";
export const FILMS: Readonly<Record<Language, Film>> = {
  en: { path: "site/film/two-devices.mp4", locale: "en-GB" },
  de: { path: "site/film/zwei-geraete.mp4", locale: "de-DE" },
};
