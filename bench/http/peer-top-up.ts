import { randomBytes } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { bigint, integer, pgSchema, pgTable, text } from 'drizzle-orm/pg-core';
import { account, entry, transfer } from '../ledger/rivals.ts';

/** The house's accounts and the wallet's, which the bench has funded. */
const PEER_ACCOUNTS = { settlement: 1, fees: 2, wallet: 3 } as const;

export const PEER_SCHEMA = `
create schema peer;
create table peer.top_ups (id bigint primary key generated always as identity,
  reference text not null unique, user_id integer not null, wallet_id integer not null,
  amount bigint not null, fee bigint not null, currency text not null, card_last4 text not null,
  status text not null, created_at timestamptz not null default now());
create index on peer.top_ups (wallet_id, id)`;

const wallets = pgTable('fiat_wallets', {
  wallet_id: integer().primaryKey(),
  user_id: integer().notNull(),
  currency: text().notNull(),
});
const topUps = pgSchema('peer').table('top_ups', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  reference: text().notNull(),
  user_id: integer().notNull(),
  wallet_id: integer().notNull(),
  amount: bigint({ mode: 'number' }).notNull(),
  fee: bigint({ mode: 'number' }).notNull(),
  currency: text().notNull(),
  card_last4: text().notNull(),
  status: text().notNull(),
});

interface TopUpRequest {
  readonly user_id: number;
  readonly card_number: string;
  readonly amount: string;
  readonly currency_code: string;
}

/** A top-up in an ORM: the row, and three legs over accounts that are locked in order. */
export async function topUp(db: NodePgDatabase, request: TopUpRequest) {
  const { user_id, currency_code: currency } = request;
  const [wallet] = await db
    .select()
    .from(wallets)
    .where(and(eq(wallets.user_id, user_id), eq(wallets.currency, currency)));
  if (!wallet) throw new Error('No such wallet');
  const amount = Math.round(Number(request.amount) * 100);
  const fee = Math.ceil(amount * 0.03);
  const reference = randomBytes(16).toString('hex');
  const changes = [
    { id: PEER_ACCOUNTS.settlement, by: -amount },
    { id: PEER_ACCOUNTS.fees, by: fee },
    { id: PEER_ACCOUNTS.wallet, by: amount - fee },
  ];
  await db.transaction(async (tx) => {
    await tx.insert(topUps).values({
      reference,
      user_id,
      wallet_id: wallet.wallet_id,
      amount,
      fee,
      currency,
      card_last4: request.card_number.slice(-4),
      status: 'SUCCESS_RECEIVED',
    });
    const [made] = await tx
      .insert(transfer)
      .values({ key: reference })
      .returning({ id: transfer.id });
    const ids = changes.map(({ id }) => id);
    const locked = await tx
      .select()
      .from(account)
      .where(inArray(account.id, ids))
      .orderBy(account.id)
      .for('update');
    const entries = [];
    for (const { id, by } of changes) {
      const row = locked.find((one) => one.id === id);
      if (!row || !made) throw new Error('No such account');
      const after = { balance: row.balance + by, seq: row.seq + 1 };
      await tx.update(account).set(after).where(eq(account.id, id));
      const { balance: balance_after, seq } = after;
      entries.push({ account_id: id, seq, transfer_id: made.id, amount: by, balance_after });
    }
    await tx.insert(entry).values(entries);
  });
  return {
    message: 'Card checkout successful',
    data: {
      reference_id: reference,
      card_last4: request.card_number.slice(-4),
      currency,
      amount: amount / 100,
      platform_fee: fee / 100,
      net_amount: (amount - fee) / 100,
      status: 'SUCCESS_RECEIVED',
      wallet_id: wallet.wallet_id,
    },
  };
}
