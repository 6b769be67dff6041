import { columnsOf, unnested } from '#kernel/db/columns.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { CardTransaction, NewTransaction } from './store.ts';

/** The service's time, asked for once for all rows of a statement. */
const AT = '(select at from service_time)';

/** What is known of a top-up when it is stored, settled or not. */
const TOPUP = {
  operation: 'uuid',
  reference_id: 'text',
  type: 'text',
  wallet_id: 'integer',
  user_id: 'integer',
  client_id: 'integer',
  card_last4: 'text',
  card_fingerprint: 'text',
  currency: 'text',
  amount: 'numeric',
  platform_fee: 'numeric',
  net_amount: 'numeric',
  state: 'text',
  status: 'text',
  simulated: 'boolean',
  rrn: 'text',
  terminal: 'smallint',
  traced_at: 'timestamptz',
  transaction_identifier: 'text',
  approval_code: 'text',
  transmitted_at: 'text',
  flow: 'text',
} as const;
const TOPUP_COLUMNS = Object.keys(TOPUP).join();

/** What only the database knows of a row that was just stored; all else is as it was given. */
type Given = Pick<CardTransaction, 'id' | 'reference_id' | 'created_at' | 'updated_at'>;

/** What a top-up never has. */
const UNLIKE_TOPUPS = {
  failure: null,
  original_id: null,
  original_type: null,
  original_amount: null,
  recipient_name: null,
};
/** Not known yet, where the network is still to be asked. */
const UNKNOWN = { transaction_identifier: null, approval_code: null, transmitted_at: null };

/**
 * Top-ups in one statement, answered in their order: nothing for those whose network name is taken.
 * Throws when one of them cannot be stored for another reason.
 */
export async function insertTopUps(
  tx: Db,
  all: readonly NewTransaction[],
): Promise<(CardTransaction | undefined)[]> {
  const rows = await run<Given>(
    tx,
    `insert into card_transactions (${TOPUP_COLUMNS}, created_at, updated_at)
     select ${TOPUP_COLUMNS}, ${AT}, ${AT} from ${unnested(TOPUP)}
     on conflict on constraint card_transactions_rrn do nothing
     returning id, reference_id, created_at, updated_at`,
    columnsOf(TOPUP, all),
  );
  const found = new Map(rows.map((row) => [row.reference_id, row]));
  return all.map((one) => {
    const row = found.get(one.reference_id);
    // None of these could be stored as anything else than what it is here.
    return row && ({ ...UNLIKE_TOPUPS, ...UNKNOWN, ...one, ...row } as CardTransaction);
  });
}
