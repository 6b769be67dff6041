import type { OperationName } from '../http/declare/route.ts';

/** What the product's words mean, for the reference: one name is one thing everywhere. */
export interface Vocabulary {
  /** Names of fields, and an example of what stands there. The first that the field takes is its own. */
  readonly examples: readonly (readonly [RegExp, unknown])[];
  /** The same of what is only answered, or means something else there; they count before the others. */
  readonly answers: readonly (readonly [RegExp, unknown])[];
  /** Of a field of one shape or operation, `CardTopUp.status` or `cards.push.status`; these count before all. */
  readonly places: Readonly<Record<string, unknown>>;
  /** What single operations are filled in with, where the examples of fields do not fit together. */
  readonly bodies: Readonly<Partial<Record<OperationName, object>>>;
  /** Of fields, beside what their schemas say. */
  readonly meanings: Readonly<Record<string, string>>;
  /** Of operations, after what their declarations say: who may call them, what happens then. */
  readonly descriptions: Readonly<Partial<Record<OperationName, string>>>;
  /**
   * Operations (`cards.refund`), or fields of theirs (`cards.refund.reference_id`), and what they need to be made
   * before: an operation's name, or words. The first that fits.
   */
  readonly origins: readonly (readonly [RegExp, string])[];
}

export const NO_WORDS: Vocabulary = {
  examples: [],
  answers: [],
  places: {},
  bodies: {},
  meanings: {},
  descriptions: {},
  origins: [],
};
