import type { Break } from '../../../sdk/src/types.generated.ts';
import type { Recipe } from './recipe.ts';
import { CARD, type Stage } from './stage.ts';

const FAULTS = '/statements/card-network/faults';

/** A top-up that the statement of the card network shows wrongly. */
async function difference(stage: Stage) {
  const person = await stage.person();
  await stage.wallet(person);
  const asked = { ...CARD, currency_code: 'USD', amount: '10.00' } as const;
  const { data } = await person.archipay.cards.topUp(asked);
  const cards = await stage.sandbox.call<{ transactionIdentifier: string; rrn: string }[]>(
    'GET',
    '/cards',
  );
  const reference =
    cards.find((one) => one.transactionIdentifier === data.transaction_identifier)?.rrn ?? '';
  const shown = (kind: string) => stage.sandbox.call('POST', FAULTS, { kind, reference });
  await shown('alter');
  const found = await state(stage, reference, ({ state: now }) => now === 'OPEN');
  return { reference, break_id: found.break_id, shown };
}

/** Hours pass until a difference is as it is to be. */
async function state(stage: Stage, reference: string, isSo: (one: Break) => boolean) {
  for (let hour = 0; hour < 6; hour += 1) {
    await stage.clock(3660);
    const found = await stage.soon(async () => {
      const { data } = await (await stage.operator()).reconciliation.listBreaks({ limit: 100 });
      return data.breaks.find((one) => one.reference === reference && isSo(one));
    });
    if (found) return found;
  }
  throw new Error(`No difference of ${reference} is found`);
}

const common = { mode: 'live', movesClock: true, isOperators: true } as const;

export const BOOKS: readonly Recipe[] = [
  {
    ...common,
    types: [
      ...['reconciliation.break_found', 'reconciliation.break_explained'],
      ...['reconciliation.break_changed', 'reconciliation.break_resolved'],
    ],
    how: 'A statement has another amount; the operator explains it; then the line is lost, and at last it is right.',
    async run(stage) {
      const { reference, break_id, shown } = await difference(stage);
      const operator = await stage.operator();
      await operator.reconciliation.explainBreak({ break_id, note: 'A trigger' });
      await shown('lose');
      await state(stage, reference, ({ cause }) => cause === 'MISSING_AT_PROVIDER');
      await stage.sandbox.call('DELETE', `${FAULTS}?reference=${reference}`);
      await state(stage, reference, ({ state: now }) => now === 'RESOLVED');
    },
  },
];
