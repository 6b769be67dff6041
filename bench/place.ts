/** What a part of the bench works with. */
export interface Place {
  /** A durable PostgreSQL of the part's own, migrated and otherwise empty. */
  readonly url: string;
  /** A folder of its own, removed afterwards. */
  readonly dir: string;
}
