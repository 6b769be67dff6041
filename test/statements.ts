import pg from 'pg';

/**
 * Every statement that any connection of this process sends, from the import of this file on, except the begin and commit
 * that travel with a statement.
 */
export const sent: string[] = [];
/** The first statement of every message, whose answer the sender waits for. */
export const trips: string[] = [];

const BEGIN = /^(begin|start transaction)/;

/** The texts among them that the product has sent, and no test or library. */
export const productStatements = new Set<string>();

const plain = pg.Client.prototype.query;
Object.defineProperty(pg.Client.prototype, 'query', {
  value(this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | null)?.text;
    const together = (first as { together?: readonly string[] } | null)?.together;
    const all = together ?? (typeof text === 'string' ? [text] : []);
    sent.push(...all.filter((one, i) => i === all.length - 1 || !BEGIN.test(one)));
    trips.push(...all.slice(-1));
    for (const one of all)
      if (!productStatements.has(one) && isOurs(one)) productStatements.add(one);
    return Reflect.apply(plain, this, args);
  },
});

/** Statements of tests by the pool, which sends them later and without their stack. */
const askedByTests = new Set<string>();
const plainOfPool = pg.Pool.prototype.query;
Object.defineProperty(pg.Pool.prototype, 'query', {
  value(this: pg.Pool, ...args: unknown[]): unknown {
    const [first] = args;
    if (typeof first === 'string' && !productStatements.has(first) && !isOurs(first))
      askedByTests.add(first);
    return Reflect.apply(plainOfPool, this, args);
  },
});

const DEPTH = 60;
/** Code that only passes statements on. */
const BETWEEN = /node:|node_modules\/|src\/kernel\/db\/[^/]+\.ts|test\/statements\.ts/;
/** And code that reads a whole copy of a database, on purpose. */
const OTHERS = /\/test\/|\.test\.ts|node_modules|\/src\/app\/operate\/restore\//;

/** How often a statement had another author: finding the author takes longer than the statement. */
const othersTimes = new Map<string, number>();
const SURE_AFTER = 5;

/** Whether the nearest possible author of the statement is the product. Without a candidate it is. */
function isOurs(text: string): boolean {
  const times = othersTimes.get(text) ?? 0;
  if (times >= SURE_AFTER) return false;
  const is = isAskedByUs(text);
  if (!is) othersTimes.set(text, times + 1);
  return is;
}

function isAskedByUs(text: string): boolean {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = DEPTH;
  const [, ...lines] = (new Error().stack ?? '').split('\n');
  Error.stackTraceLimit = before;
  const asker = lines.find((line) => line.includes('/') && !BETWEEN.test(line));
  return asker === undefined ? !askedByTests.has(text) : !OTHERS.test(asker);
}
