/** The resources of a part of the bench. */
export interface Place {
  /** A durable PostgreSQL of the part's own, migrated and otherwise empty. */
  readonly url: string;
  /** A folder of its own, removed afterwards. */
  readonly dir: string;
}
