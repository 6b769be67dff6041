import { columnsOf, unnested } from '#kernel/db/columns.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { createPosting } from '#kernel/ledger/posting.ts';
import { type Pay, paymentTable } from './rivals.ts';

export const PAYMENT_SCHEMA = `
create schema bench;
${paymentTable('bench.payments', 'numeric(38, 0)')}`;

interface Payment {
  readonly reference: string;
  readonly payer: number;
  readonly payee: number;
  readonly amount: bigint;
}

const COLUMNS = 'reference, payer, payee, amount, status, created_at';
const PAYMENT = { reference: 'text', payer: 'bigint', payee: 'bigint', amount: 'numeric' } as const;
const ALL = `insert into bench.payments (${COLUMNS})
  select reference, payer, payee, amount, 'DONE', (select at from service_time) from ${unnested(PAYMENT)}
  returning reference`;
const ONE = `insert into bench.payments (${COLUMNS})
  values ($1, $2, $3, $4, 'DONE', service_now()) on conflict (reference) do nothing returning *`;

/** Transfers like a feature's: a row and its postings, batched. */
export function bookedTransfer(
  db: Db,
): (reference: string, ...between: Parameters<Pay>) => Promise<unknown> {
  const { together: book } = createPosting<Payment, Payment>(db, {
    // As in card top-ups: the stored row equals its input, except values that only the database knows.
    async storeAll(tx, all) {
      const rows = await run<Pick<Payment, 'reference'>>(tx, ALL, columnsOf(PAYMENT, all));
      const written = new Set(rows.map((row) => row.reference));
      for (const { reference } of all)
        if (!written.has(reference)) throw new Error(`${reference} was not written`);
      return all;
    },
    async store(tx, { reference, payer, payee, amount }) {
      const [row] = await run<Payment>(tx, ONE, [reference, payer, payee, amount]);
      return row;
    },
  });
  return (reference, payer, payee) =>
    book(
      { reference, payer, payee, amount: 1n },
      { key: reference, kind: 'bench', legs: transfer(payer, payee, 1n) },
    );
}
