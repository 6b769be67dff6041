/**
 * The things of one table as payments: a view of the schema with a row for each, whose columns are those of `payments`
 * beside its own. A feature that moves money names it where it declares the events of these things.
 */
export interface PaymentSource {
  /** The view: `payment_of_<table>`. */
  readonly view: string;
  /** What they go over, in the list of payments. */
  readonly rail: string;
  /** The column of the view that names a thing, and its type. */
  readonly key: { readonly column: string; readonly type: 'text' | 'integer' | 'uuid' };
  /** Columns of the view by which others know a thing: a provider's id, a hash. Its table has an index of each. */
  readonly names: readonly string[];
  /** Where the thing itself is read, by its id; null where no address of the API has it. */
  href(id: string): string | null;
}

/** The same things, by another number of theirs. */
export const keyedBy = (
  source: PaymentSource,
  column: string,
  type: PaymentSource['key']['type'],
): PaymentSource => ({ ...source, key: { column, type } });
