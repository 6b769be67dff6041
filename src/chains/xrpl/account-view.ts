import { monotonicMs } from '#kernel/clock.ts';
import { type Unknown, unknown } from '#kernel/effects/outcome.ts';
import type { Connection } from './connection.ts';
import { AccountInfo, FeeInfo } from './wire.ts';

/** What has to be known of an account to sign for it. */
export interface AccountView {
  /** None below it is free: it may be behind by what was validated meanwhile. */
  readonly sequence: number;
  /** The latest validated ledger. */
  readonly ledger: number;
  /** In drops, as text. */
  readonly fee: string;
}

/** So long what was read is good enough: a ledger takes longer. */
const FRESH_MS = 1_000;
export const FEE_MIN_DROPS = 12;
const FEE_MAX_DROPS = 5_000;

/**
 * Reads accounts, each at most once in a while however many sign for it. Asked by one after the other. Tells the
 * fee that it has read.
 */
export function accountViews(connection: Connection, learned: (drops: number) => void) {
  const known = new Map<string, AccountView & { readonly at: number }>();
  return async (account: string, isAnew: boolean): Promise<AccountView | Unknown> => {
    // What has expired would be the same again by what was read before.
    const kept = isAnew ? undefined : known.get(account);
    if (kept && monotonicMs() - kept.at < FRESH_MS) return kept;
    const at = monotonicMs();
    const fields = { account, ledger_index: 'validated' };
    const info = await connection.ask(AccountInfo, 'account_info', fields);
    if (!('result' in info)) return unknown('lost' in info ? info.lost : info.error);
    const fees = await connection.ask(FeeInfo, 'fee');
    if (!('result' in fees)) return unknown('lost' in fees ? fees.lost : fees.error);
    const { account_data, ledger_index: ledger } = info.result;
    const drops = Number(fees.result.drops.open_ledger_fee);
    if (!Number.isSafeInteger(drops)) return unknown('The fee is not known');
    const fee = Math.min(Math.max(drops, FEE_MIN_DROPS), FEE_MAX_DROPS);
    learned(fee);
    const view = { sequence: account_data.Sequence, ledger, fee: String(fee) };
    known.set(account, { ...view, at });
    return view;
  };
}
