import { type Db, run } from '#kernel/db/db.ts';
import type { CardTransaction, NewTransaction } from './store.ts';

/** The service's time, asked for once for all rows of a statement. */
const AT = '(select service_now())';

/** What is known of a top-up when it is stored, settled or not. */
const TOPUP_COLUMNS = `operation, reference_id, type, wallet_id, user_id, client_id, card_last4,
  card_fingerprint, currency, amount, platform_fee, net_amount, state, status, simulated, rrn, terminal, traced_at,
  transaction_identifier, approval_code, transmitted_at, flow`;

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
     select ${TOPUP_COLUMNS}, ${AT}, ${AT} from jsonb_populate_recordset(null::card_transactions, $1)
     on conflict on constraint card_transactions_rrn do nothing
     returning id, reference_id, created_at, updated_at`,
    [JSON.stringify(all.map(withTexts))],
  );
  const found = new Map(rows.map((row) => [row.reference_id, row]));
  return all.map((one) => {
    const row = found.get(one.reference_id);
    // None of these could be stored as anything else than what it is here.
    return row && ({ ...UNLIKE_TOPUPS, ...UNKNOWN, ...one, ...row } as CardTransaction);
  });
}

/** For JSON, in which units stay exact as text. */
const withTexts = (one: NewTransaction) => ({
  ...one,
  amount: String(one.amount),
  platform_fee: String(one.platform_fee),
  net_amount: String(one.net_amount),
});
