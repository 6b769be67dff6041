import { run } from '#kernel/db/db.ts';
import { differingFrom, UNLISTED } from '#test/payments.ts';
import { fieldOf, listOf, textOf } from '../clients/answer.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import type { World } from './world.ts';

/** The list of payments as the operator reads it, beside the ledger and the things that it is of. */
export interface PaymentsSeen {
  /** `<id> <status> <amount> <currency>` of each row of the list, over all its pages. */
  readonly listed: readonly string[];
  /** The same of each payment that there is. */
  readonly kept: readonly string[];
  /** Transfers of kinds that payments post, and that no payment has posted. */
  readonly unlisted: readonly string[];
  /** Payments that are not what their things are. */
  readonly differing: readonly string[];
}

export async function readPayments({ api, db, operator: token }: World): Promise<PaymentsSeen> {
  const listed: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await api(`GET /payments?limit=100${cursor}`, { token });
    listed.push(...listOf(page, 'data.items').map(nameOf));
    const next = fieldOf(page, 'data.next_cursor');
    if (typeof next !== 'string') break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  const kept = await run<{ name: string }>(
    db,
    `select object_type || ' ' || object_id || ' ' || status || ' ' || currency as name from payments`,
    [],
  );
  const views = await run<{ view: string }>(
    db,
    `select table_name as view from information_schema.views where table_name like 'payment\\_of\\_%'`,
    [],
  );
  const faultsOf = async (text: string) =>
    (await run<{ fault: string }>(db, text, [])).map(({ fault }) => fault);
  return {
    listed,
    kept: kept.map(({ name }) => name),
    unlisted: await faultsOf(UNLISTED),
    differing: (await Promise.all(views.map((one) => faultsOf(differingFrom(one))))).flat(),
  };
}

const nameOf = (row: unknown): string =>
  [textOf(row, 'object.type'), textOf(row, 'object.id'), textOf(row, 'status')]
    .concat(textOf(row, 'currency'))
    .join(' ');

/** Each payment is in the list once, as its thing is, and what the ledger has posted is of a payment. */
export const checkPayments = (seen: PaymentsSeen): Finding[] => [
  ...match(
    'list of payments',
    seen.kept.map((name) => ({ name, key: '' })),
    seen.listed,
  ),
  ...seen.unlisted.map((what): Finding => ({ kind: 'lost', where: 'payment of a transfer', what })),
  ...seen.differing.map((what): Finding => ({ kind: 'wrong', where: 'payment of a thing', what })),
];
