import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { openWork } from '#src/app/operate/open-work.ts';
import { shapesOf, traitsOf } from './effect-shapes.ts';
import { harness } from './harness.ts';

/** Properties of every effect of the product. */
const h = await harness({ mock: false });
const { effects } = h.kernel;
const kinds = h.kernel.effects.kinds();
await h.drain();

/** Names in the existing forms: of a reference, of a row's number, of a flow in a version. */
const FORMS = [randomUUID(), '987654321', `${randomUUID()}:1`];

/** A name of no row, in the effect's own form. */
async function strangeName(kind: (typeof kinds)[number]): Promise<string> {
  for (const form of FORMS) {
    const answer = await kind.open(h.db, form).catch((error: Error) => error);
    if (answer === undefined) return form;
  }
  throw new Error(`${kind.kind} does not answer undefined for what is not there`);
}

test('every effect declares its kind, and its path after a lost answer', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(h.app.features.effects.length);
  for (const kind of kinds) {
    const { open, call, settle, refuse, repeatable, lookUp } = kind;
    expect([open, call, settle, refuse].map((part) => typeof part)).toEqual(
      Array(4).fill('function'),
    );
    expect(repeatable || lookUp !== undefined, kind.kind).toBe(true);
    expect(kind.unseen === undefined || !repeatable, kind.kind).toBe(true);
  }
});

test('every effect is of a shape that the crash matrix kills', () => {
  const place = { db: h.db, url: '', accounts: { payer: 0, house: 0 }, at: async () => undefined };
  const killed = new Set(Object.values(shapesOf(place)).map(traitsOf));
  const others = kinds.filter((kind) => !killed.has(traitsOf(kind)));
  expect(others.map((kind) => `${kind.kind}: ${traitsOf(kind)}`)).toEqual([]);
});

test('no two effects, flows or inboxes share a queue', () => {
  const { features } = h.app;
  const names = [
    ...kinds.map(({ kind }) => `effect.${kind}`),
    ...features.machines.map(({ type }) => `saga.${type}`),
    ...features.inboxes.map(({ source }) => `inbox.${source}`),
    ...features.jobs.map(({ name }) => name),
  ];
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test.each(kinds.map((kind) => [kind.kind, kind] as const))(
  '%s is seen while it is open, and is given up without a word of alarm where nothing is there',
  async (name, kind) => {
    const id = await strangeName(kind);
    await transact(h.db, (tx) => effects.begin(tx, kind, id, { left: {} }));
    const metrics = await h.kernel.metrics.registry.metrics();
    expect(metrics).toContain(`archipay_in_doubt{kind="effect.${name}"} 1`);
    const { effects: open } = await openWork(h.kernel);
    expect(open).toContainEqual(expect.objectContaining({ kind: name, open: 1, stalled: 0 }));
    h.logs.length = 0;
    await h.drain();
    expect(await effects.find(h.db, name, id)).toMatchObject({ state: 'REFUSED', code: 'GONE' });
    expect(h.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  },
);
