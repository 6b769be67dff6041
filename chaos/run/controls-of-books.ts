import type { Books, Operation } from '../clients/books.ts';
import { askAgain } from '../clients/client.ts';
import type { Control, Spoiling } from './controls.ts';
import { askAllAgain, lateKeys, openEntries, wrongRefusals } from './settle.ts';

/** A top-up that the service never received. */
const imagined = (books: Books, name: string, cents: bigint) => {
  const operation: Operation = {
    key: `control-${name}`,
    method: 'POST',
    path: '/card-checkout/card',
    body: {},
    effect: { kind: 'top-up', user: 0, cents, worded: false },
  };
  return books.entry(operation);
};

const DONE = { kind: 'done', status: 200, text: '{}' } as const;

/** The clients report other answers than they got. */
export const bookControls: readonly Control[] = [
  {
    name: 'lost',
    finds: 'lost',
    where: /^statement of user 0$/,
    async spoil({ world: { books } }) {
      imagined(books, 'lost', 7_777n).ended = DONE;
    },
  },
  {
    name: 'not-refused',
    finds: 'refused',
    where: /^\/card-checkout/,
    async spoil({ world: { books } }) {
      const entry = imagined(books, 'not-refused', 7_778n);
      entry.ended = { kind: 'refused', status: 400, text: '{}', code: 'VALIDATION_ERROR' };
    },
    look: ({ deps }) => wrongRefusals(deps),
  },
  {
    name: 'unanswered',
    finds: 'open',
    where: /^\/card-checkout/,
    async spoil({ world: { books } }) {
      imagined(books, 'unanswered', 7_779n);
    },
    look: ({ deps }) => openEntries(deps),
  },
  {
    name: 'answer-without-code',
    finds: 'bad-answer',
    where: /^\/card-checkout/,
    async spoil({ world: { books } }) {
      const { attempts } = imagined(books, 'answer-without-code', 7_780n);
      attempts.push({ at: 0, ms: 0, member: 0, status: 503 });
    },
  },
  {
    name: 'key-in-progress',
    finds: 'key-in-progress',
    where: /^\/card-checkout/,
    // As left by a live process that has lost track of it.
    spoil: ({ sql }) =>
      sql(`update idempotency_keys set status = null, answer = null,
             lease_until = now() + interval '1 day', holder = (
               select objid::bigint::integer from pg_locks
               where locktype = 'advisory' and classid = 7242006 limit 1)`),
    async look({ deps }) {
      const done = deps.books.done('push').slice(0, 1);
      for (const { operation } of done) await askAgain(deps, deps.books.entry(operation), 15_000);
      return lateKeys(deps, deps.now() - 60_000);
    },
  },
];

const forgetKeys = ({ sql }: Spoiling) => sql('delete from idempotency_keys');

/** The last ones, since afterwards every request has been repeated. */
export const keyControls: readonly Control[] = [
  {
    name: 'doubled',
    finds: 'doubled',
    where: /^card history of user/,
    async spoil(place) {
      await forgetKeys(place);
      await askAllAgain(place.deps);
    },
  },
  {
    name: 'forgotten-keys',
    finds: 'changed-answer',
    where: /^\/card-checkout/,
    spoil: forgetKeys,
    look: ({ deps }) => askAllAgain(deps),
  },
];
