/** The film of the landing pages, which `npm run docs:film` makes. A packed package does not have it. */
import type { Language } from "../src/contract/language.ts";

interface Film {
  /** In the repository and in the site. */
  readonly path: string;
  /** Its first picture. */
  readonly poster: string;
  readonly locale: string;
}

export const FILM_SIZE = { width: 1280, height: 720 } as const;
export const FILMS: Readonly<Record<Language, Film>> = {
  en: { path: "site/film/two-devices.mp4", poster: "site/film/two-devices.webp", locale: "en-GB" },
  de: {
    path: "site/film/zwei-geraete.mp4",
    poster: "site/film/zwei-geraete.webp",
    locale: "de-DE",
  },
};
