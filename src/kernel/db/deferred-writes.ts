import { type Db, runLater } from './db.ts';
import type { Statement } from './statement-names.ts';

/** Of the transactions that are open, what each has to write when it ends. */
const open = new WeakMap<object, Statement[]>();

/** Begins to keep what `deferWrite` is given in a transaction; `transact` writes it, see `folded`. */
export function collectDeferred(tx: object): readonly Statement[] {
  const parts: Statement[] = [];
  open.set(tx, parts);
  return parts;
}

/**
 * Writes what nothing else in the transaction looks at, as a part of its last statement: rows of logs, what
 * is notified, what is forgotten. Parts do not see each other, change no row that another of them changes, answer
 * nothing and have no `with` that writes. Outside of `transact` it is written at once.
 */
export async function deferWrite(db: Db, text: string, values: readonly unknown[]): Promise<void> {
  const parts = open.get(db);
  if (parts) parts.push({ text, values });
  else await runLater(db, text, values);
}

/** What the end of a folded statement joins in order to be done after all its parts. */
export const AFTER_DEFERRED = 'cross join done';

/**
 * One statement of all the parts, in their order, and of what comes after them, which is given `DONE`, or
 * nothing where there are no parts.
 */
export function foldDeferred(
  parts: readonly Statement[],
  lastOf: (after: string) => Statement | undefined,
): Statement | undefined {
  if (parts.length === 0) return lastOf('');
  const all = [...parts, lastOf(AFTER_DEFERRED) ?? { text: 'select from done', values: [] }];
  return { text: textOf(all), values: all.flatMap(({ values }) => values) };
}

/** Few: of each kind of transaction one. Beyond these something is wrong, and is put together each time. */
const KNOWN_MAX = 500;
const known = new Map<string, string>();

/** Put together once: it is longer than what it is asked with, and the driver knows it by itself. */
function textOf(all: readonly Statement[]): string {
  const key = all.map(({ text, values }) => `${values.length} ${text}`).join('\n');
  const found = known.get(key);
  if (found !== undefined) return found;
  const text = joined(all);
  if (known.size < KNOWN_MAX) known.set(key, text);
  return text;
}

function joined(all: readonly Statement[]): string {
  let before = 0;
  const texts = all.map(({ text, values }) => {
    const own = renumbered(text, before);
    before += values.length;
    return own;
  });
  const end = texts.pop() ?? '';
  const writes = texts.map((text, i) => `part_${i + 1} as (${text}\n  returning 1)`);
  const read = texts
    .map((_, i) => `select from part_${i + 1}`)
    .toReversed()
    .join(' union all ');
  return `with ${writes.join(',\n')},\ndone as materialized (select count(*) from (${read}) parts)\n${end}`;
}

const renumbered = (text: string, by: number): string =>
  text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + by}`);
