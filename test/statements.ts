import pg from 'pg';

/** Every statement that any connection of this process sends, from the import of this file on. */
export const sent: string[] = [];

const plain = pg.Client.prototype.query;
Object.defineProperty(pg.Client.prototype, 'query', {
  value(this: pg.Client, ...args: unknown[]): unknown {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | null)?.text;
    if (typeof text === 'string') sent.push(text);
    return Reflect.apply(plain, this, args);
  },
});
