/** Without TypeBox, so that any client can import it. */

/** The header of a page that ends inside a push, which has more operations than the page may have. */
export const PAGE_HEADER = "Trellis-Page";
export const INSIDE_PUSH = "inside-push";
