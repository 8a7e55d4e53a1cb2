/** Runs before the page is drawn, so that no page flashes in the other theme. */
import { readTheme, showTheme } from "./theme-choice.ts";

showTheme(readTheme());
