import { randomUUID } from 'node:crypto';
import { inArray, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, pgSchema, primaryKey, text } from 'drizzle-orm/pg-core';
import type pg from 'pg';

/** A feature's row beside the money: found by its reference, listed by payer. */
export const paymentTable = (name: string, units: string): string => `
create table ${name} (payment_id bigint primary key generated always as identity,
  reference text not null unique, payer bigint not null, payee bigint not null,
  amount ${units} not null, status text not null, created_at timestamptz not null default now());
create index on ${name} (payer, payment_id);`;

/** A payment and its transfer in a typical implementation: correct, and in eight round trips. */
export const RIVAL_SCHEMA = `
create schema rival;
create table rival.account (id bigint primary key, balance bigint not null check (balance >= 0),
  seq bigint not null default 0) with (fillfactor = 50);
create table rival.transfer (id bigint generated always as identity primary key,
  key text not null unique, created_at timestamptz not null default now());
create table rival.entry (account_id bigint not null, seq bigint not null,
  transfer_id bigint not null, amount bigint not null, balance_after bigint not null,
  primary key (account_id, seq));
create index on rival.entry (transfer_id);
${paymentTable('rival.payment', 'bigint')}
create function rival.pay(p_key text, p_from bigint, p_to bigint, p_amount bigint) returns bigint
language plpgsql as $$
declare
  v_id bigint;
  v_from rival.account;
  v_to rival.account;
begin
  insert into rival.payment (reference, payer, payee, amount, status)
    values (p_key, p_from, p_to, p_amount, 'DONE');
  perform from rival.account where id in (p_from, p_to) order by id for no key update;
  insert into rival.transfer (key) values (p_key) on conflict do nothing returning id into v_id;
  if v_id is null then return null; end if;
  update rival.account set balance = balance - p_amount, seq = seq + 1
   where id = p_from and balance >= p_amount returning * into v_from;
  if not found then raise exception 'insufficient'; end if;
  update rival.account set balance = balance + p_amount, seq = seq + 1
   where id = p_to returning * into v_to;
  insert into rival.entry values
    (p_from, v_from.seq, v_id, -p_amount, v_from.balance),
    (p_to, v_to.seq, v_id, p_amount, v_to.balance);
  return v_id;
end $$`;

export type Pay = (from: number, to: number) => Promise<unknown>;

/** One call of a function made for two legs: the minimum of database work per transfer. */
export function oneCall(pool: pg.Pool): Pay {
  const query = { name: 'rival_pay', text: 'select rival.pay($1, $2, $3, 1)' };
  return (from, to) => pool.query({ ...query, values: [randomUUID(), from, to] });
}

/** A transaction written by hand with the plain driver. */
export function plainTransaction(pool: pg.Pool): Pay {
  return async (from, to) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const reference = randomUUID();
      await client.query(
        `insert into rival.payment (reference, payer, payee, amount, status)
         values ($1, $2, $3, 1, 'DONE')`,
        [reference, from, to],
      );
      const made = await client.query(
        'insert into rival.transfer (key) values ($1) on conflict do nothing returning id',
        [reference],
      );
      const locked = await client.query<{ id: string; balance: string; seq: string }>(
        'select id, balance, seq from rival.account where id = any($1) order by id for update',
        [[from, to]],
      );
      const row = (id: number) => locked.rows.find((one) => Number(one.id) === id);
      const [payer, payee] = [row(from), row(to)];
      if (!payer || !payee || Number(payer.balance) < 1) throw new Error('insufficient');
      const write = 'update rival.account set balance = $2, seq = $3 where id = $1';
      const [paid, got] = [Number(payer.balance) - 1, Number(payee.balance) + 1];
      const [paidSeq, gotSeq] = [Number(payer.seq) + 1, Number(payee.seq) + 1];
      await client.query(write, [from, paid, paidSeq]);
      await client.query(write, [to, got, gotSeq]);
      await client.query(
        'insert into rival.entry values ($1, $2, $3, -1, $4), ($5, $6, $3, 1, $7)',
        [from, paidSeq, made.rows[0].id, paid, to, gotSeq, got],
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
}

const rival = pgSchema('rival');
const number = { mode: 'number' } as const;
export const account = rival.table('account', {
  id: bigint(number).primaryKey(),
  balance: bigint(number).notNull(),
  seq: bigint(number).notNull(),
});
export const transfer = rival.table('transfer', {
  id: bigint(number).primaryKey().generatedAlwaysAsIdentity(),
  key: text().notNull().unique(),
});
export const entry = rival.table(
  'entry',
  {
    account_id: bigint(number).notNull(),
    seq: bigint(number).notNull(),
    transfer_id: bigint(number).notNull(),
    amount: bigint(number).notNull(),
    balance_after: bigint(number).notNull(),
  },
  (table) => [primaryKey({ columns: [table.account_id, table.seq] })],
);

const payment = rival.table('payment', {
  payment_id: bigint(number).primaryKey().generatedAlwaysAsIdentity(),
  reference: text().notNull().unique(),
  payer: bigint(number).notNull(),
  payee: bigint(number).notNull(),
  amount: bigint(number).notNull(),
  status: text().notNull(),
});

/** The same transaction in an ORM. */
export function ormTransaction(pool: pg.Pool): Pay {
  const db = drizzle(pool);
  return (from, to) =>
    db.transaction(async (tx) => {
      const reference = randomUUID();
      await tx
        .insert(payment)
        .values({ reference, payer: from, payee: to, amount: 1, status: 'DONE' });
      const [made] = await tx
        .insert(transfer)
        .values({ key: reference })
        .onConflictDoNothing()
        .returning({ id: transfer.id });
      const locked = await tx
        .select()
        .from(account)
        .where(inArray(account.id, [from, to]))
        .orderBy(account.id)
        .for('update');
      const payer = locked.find(({ id }) => id === from);
      const payee = locked.find(({ id }) => id === to);
      if (!made || !payer || !payee || payer.balance < 1) throw new Error('insufficient');
      const paid = { balance: payer.balance - 1, seq: payer.seq + 1 };
      const got = { balance: payee.balance + 1, seq: payee.seq + 1 };
      await tx.update(account).set(paid).where(sql`${account.id} = ${from}`);
      await tx.update(account).set(got).where(sql`${account.id} = ${to}`);
      const { id: transfer_id } = made;
      await tx.insert(entry).values([
        { account_id: from, seq: paid.seq, transfer_id, amount: -1, balance_after: paid.balance },
        { account_id: to, seq: got.seq, transfer_id, amount: 1, balance_after: got.balance },
      ]);
    });
}
