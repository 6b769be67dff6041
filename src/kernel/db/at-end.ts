import { type Db, runLater } from './db.ts';
import type { Statement } from './together.ts';

/** Of the transactions that are open, what each has to write when it ends. */
const open = new WeakMap<object, Statement[]>();

/** Begins to keep what `runAtEnd` is given in a transaction; `transact` writes it, see `folded`. */
export function keepForEnd(tx: object): readonly Statement[] {
  const parts: Statement[] = [];
  open.set(tx, parts);
  return parts;
}

/**
 * Writes what nothing else in the transaction looks at, as a part of its last statement: rows of logs, what
 * is told, what is forgotten. Parts do not see each other, change no row that another of them changes, answer
 * nothing and have no `with` that writes. Outside of `transact` it is written at once.
 */
export async function runAtEnd(db: Db, text: string, values: readonly unknown[]): Promise<void> {
  const parts = open.get(db);
  if (parts) parts.push({ text, values });
  else await runLater(db, text, values);
}

/** What the end of a folded statement joins in order to be done after all its parts. */
export const DONE = 'cross join done';

/**
 * One statement of all the parts, in their order, and of what comes after them, which is given `DONE`, or
 * nothing where there are no parts.
 */
export function folded(
  parts: readonly Statement[],
  lastOf: (after: string) => Statement | undefined,
): Statement | undefined {
  if (parts.length === 0) return lastOf('');
  const last = lastOf(DONE) ?? { text: 'select from done', values: [] };
  const values: unknown[] = [];
  const [end = '', ...texts] = [...parts, last]
    .map((one) => {
      const text = renumbered(one.text, values.length);
      values.push(...one.values);
      return text;
    })
    .toReversed();
  const names = texts.map((_, i) => `part_${i + 1}`);
  const writes = texts.toReversed().map((text, i) => `${names[i]} as (${text}\n  returning 1)`);
  const read = names.map((name) => `select from ${name}`).join(' union all ');
  const text = `with ${writes.join(',\n')},\ndone as materialized (select count(*) from (${read}) parts)\n${end}`;
  return { text, values };
}

const renumbered = (text: string, by: number): string =>
  text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`);
