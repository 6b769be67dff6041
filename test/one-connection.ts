import { AsyncLocalStorage } from 'node:async_hooks';
import { relative } from 'node:path';
import { ConnectionBuilder, TransactionBuilder } from 'kysely';
import pg from 'pg';

/**
 * Work that holds a connection, and takes another of the same pool, deadlocks when as many do so as the pool has
 * connections: each has one, and all wait for one more. From the import of this file on every such request in this
 * process is refused at once.
 */
interface Holding {
  /** The pool: the first one that it used. */
  pool: unknown;
  isOver: boolean;
  /** Where it began. */
  readonly began: Error;
  /** The outer holder of a connection. */
  readonly around: Holding | undefined;
}

const holding = new AsyncLocalStorage<Holding>();
const DEPTH = 40;

/** Refusals in this process that no test has reported yet. */
const refused = new Set<string>();

/** Fails if a request was refused since the last call: its code may have caught the error. */
export function mustNeedOneConnection(): void {
  const all = [...refused];
  refused.clear();
  if (all.length > 0) throw new Error(`Held a connection, and took another:\n${all.join('\n')}`);
}

for (const { prototype } of [TransactionBuilder, ConnectionBuilder]) {
  const plain = prototype.execute as (...args: unknown[]) => Promise<unknown>;
  Object.defineProperty(prototype, 'execute', {
    value(this: unknown, ...args: unknown[]): Promise<unknown> {
      const mine: Holding = {
        pool: undefined,
        isOver: false,
        began: traced(),
        around: holding.getStore(),
      };
      return holding
        .run(mine, () => Reflect.apply(plain, this, args))
        .finally(() => (mine.isOver = true));
    },
  });
}

const plain = pg.Pool.prototype.connect as (...args: unknown[]) => unknown;
Object.defineProperty(pg.Pool.prototype, 'connect', {
  // The product puts one of its own in front of it.
  writable: true,
  value(this: unknown, ...args: unknown[]): unknown {
    const now = holding.getStore();
    const held = holderOf(this, now);
    if (held) refuse(held);
    if (now) now.pool ??= this;
    return Reflect.apply(plain, this, args);
  },
});

/** The current holder of a connection of that pool. */
function holderOf(pool: unknown, inside: Holding | undefined): Holding | undefined {
  for (let one = inside; one; one = one.around) if (!one.isOver && one.pool === pool) return one;
  return undefined;
}

/** A test that holds or takes one by itself does so on purpose. */
function refuse({ began }: Holding): void {
  const [asker, holder] = [placesIn(traced()), placesIn(began)];
  if (NOT_WAITED_FOR.test(asker) || [asker, holder].some((one) => TESTS.test(one))) return;
  const fault = `${asker}, while ${holder} holds one`;
  refused.add(fault);
  throw new Error(`A second connection: ${fault}`);
}

const TESTS = /^(test\/|\S+\.test\.ts)/;
/** Parts of accounts are opened beside the posting, which does not wait for them. */
const NOT_WAITED_FOR = /^src\/kernel\/ledger\/parts\.ts/;

function traced(): Error {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = DEPTH;
  const error = new Error('Here');
  Error.stackTraceLimit = before;
  return error;
}

const BETWEEN =
  /node:|node_modules|\/src\/kernel\/(db\/[^/]+|access\/fence|transact|batcher|cause|events\/emit)\.ts|test\/one-connection\.ts/;

/** The nearest possible callers. */
function placesIn({ stack = '' }: Error): string {
  const lines = stack.split('\n').slice(1);
  const askers = lines.filter((line) => line.includes('/') && !BETWEEN.test(line));
  const places = askers.slice(0, 3).map((asker) => {
    const [, place = asker, line = ''] = /(\/[^():?]+)\S*?:(\d+):\d+/.exec(asker) ?? [];
    return `${relative('.', place)}:${line}`;
  });
  return places.join(' of ') || 'unknown code';
}
