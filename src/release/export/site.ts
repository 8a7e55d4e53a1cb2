/** The download page's files, as whoever builds them hands them over. */
export interface ExportedSite {
  readonly files: readonly {
    readonly path: string;
    readonly mediaType: string;
    readonly body: string;
  }[];
  /** What goes with every file beside its media type. */
  readonly headers: Readonly<Record<string, string>>;
}
