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
  /**
   * By field, or by `Shape.field` and `operation.field`, what each of its words means where it takes some words only.
   */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Headings of operations, where that made of the name would not do. */
  readonly titles: Readonly<Partial<Record<OperationName, string>>>;
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
  values: {},
  titles: {},
  descriptions: {},
  origins: [],
};

/** Thing in front of the names of operations, as a chapter of the reference. */
export interface ReferenceTag {
  /** Part of the reference that the chapter stands in. */
  readonly group: string;
  /** Heading, where it is not the tag in words. */
  readonly title?: string;
  readonly text: string;
}

/** Values of the demo user that examples send, so that the sandbox takes them as they are. */
export interface DemoValues {
  readonly sandboxUrl: string;
  readonly wallet_id: number;
  /** A wallet on chains, and the chain it is used on. */
  readonly wallet_address: string;
  readonly chain: string;
}

/** What the reference says of one feature beside its declarations. */
export interface FeatureWords extends Partial<Omit<Vocabulary, 'bodies' | 'examples'>> {
  readonly tags?: Readonly<Record<string, ReferenceTag>>;
  bodies?(demo: DemoValues): Vocabulary['bodies'];
}

/**
 * The vocabulary of a product: words of its features, then those that several features share. Throws where two
 * of them say the same field, place or operation.
 */
export function vocabularyOf(
  features: readonly FeatureWords[],
  shared: Pick<Vocabulary, 'examples' | 'answers' | 'meanings' | 'values' | 'origins'>,
  demo: DemoValues,
): Vocabulary {
  return {
    examples: shared.examples,
    answers: [...features.flatMap(({ answers = [] }) => answers), ...shared.answers],
    origins: [...features.flatMap(({ origins = [] }) => origins), ...shared.origins],
    meanings: joined([...features.map(({ meanings }) => meanings), shared.meanings]),
    values: joinedValues([...features.map(({ values }) => values), shared.values]),
    titles: joined(features.map(({ titles }) => titles)),
    places: joined(features.map(({ places }) => places)),
    descriptions: joined(features.map(({ descriptions }) => descriptions)),
    bodies: joined(features.map(({ bodies }) => bodies?.(demo))),
  };
}

/** Several features have words of one field, each word once. */
function joinedValues(all: readonly (Vocabulary['values'] | undefined)[]): Vocabulary['values'] {
  const entries = all.flatMap((values) => Object.entries(values ?? {}));
  const byField = Map.groupBy(entries, ([field]) => field);
  return Object.fromEntries(
    [...byField].map(([field, same]) => [field, joined(same.map(([, words]) => words))]),
  );
}

function joined<T>(
  records: readonly (Readonly<Record<string, T>> | undefined)[],
): Readonly<Record<string, T>> {
  const entries = records.flatMap((record) => Object.entries(record ?? {}));
  const all = Object.fromEntries(entries);
  if (Object.keys(all).length === entries.length) return all;
  const names = entries.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  throw new Error(`The reference says ${twice} twice`);
}
