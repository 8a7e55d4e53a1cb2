/** Loaded when a person searches, before the index. */
import { createSearch } from "../search/create-search.ts";

window.trellisDocs = { createSearch, indexes: [] };
