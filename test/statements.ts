import pg from 'pg';

/**
 * Every statement that any connection of this process sends, from the import of this file on, but for what
 * begins and ends a transaction together with a statement.
 */
export const sent: string[] = [];
/** The first statement of every message, which the sender waits for the answer to. */
export const trips: string[] = [];

const BEGIN = /^(begin|start transaction)/;

const plain = pg.Client.prototype.query;
Object.defineProperty(pg.Client.prototype, 'query', {
  value(this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | null)?.text;
    const together = (first as { together?: readonly string[] } | null)?.together;
    const all = together ?? (typeof text === 'string' ? [text] : []);
    sent.push(...all.filter((one, i) => i === all.length - 1 || !BEGIN.test(one)));
    trips.push(...all.slice(-1));
    return Reflect.apply(plain, this, args);
  },
});
