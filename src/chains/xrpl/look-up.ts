import type { Kysely } from 'kysely';
import type { DB } from '#kernel/db/schema.generated.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Connection } from './connection.ts';
import { unitsOf } from './currency.ts';
import { endSigned, expireSigned, type JournalRow } from './journal.ts';
import { TxResult } from './wire.ts';

export interface LookUpDeps {
  readonly db: Kysely<DB>;
  readonly connection: Connection;
}

/**
 * What a validated ledger says of a transaction of ours, written down; nothing while it may still
 * happen. It has expired once all ledgers were searched that could have had it.
 */
export async function lookUp(
  { db, connection }: LookUpDeps,
  row: JournalRow,
): Promise<Outcome<JournalRow | undefined>> {
  const reply = await connection.ask(TxResult, 'tx', {
    transaction: row.hash,
    min_ledger: row.first_ledger,
    max_ledger: row.last_ledger,
  });
  if ('lost' in reply) return unknown(reply.lost);
  if ('error' in reply) {
    if (reply.error !== 'txnNotFound') return unknown(reply.error);
    return done(reply.data['searched_all'] === true ? await expireSigned(db, row) : undefined);
  }
  const { validated, ledger_index, meta, tx_json, hash } = reply.result;
  if (!validated || ledger_index === undefined || meta === undefined) return done(undefined);
  const { TransactionResult: result, delivered_amount: delivered } = meta;
  const found = { hash, ledger_index, validated, meta: { result, delivered }, tx_json };
  return done(
    await endSigned(db, row, {
      status: result === 'tesSUCCESS' ? 'VALIDATED' : 'FAILED',
      result,
      ledger_index,
      delivered: typeof delivered === 'object' ? unitsOf(delivered.value) : null,
      response: JSON.stringify(found),
    }),
  );
}
