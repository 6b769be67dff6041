import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { balancesOf } from '#kernel/ledger/accounts.ts';
import { isNotCovered } from '#kernel/ledger/batch.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { bankAccounts, takeable } from './accounts.ts';
import { lockTopUp, lowerDebt, owingAfter } from './top-up-store.ts';

const AT_ONCE = 200;

/** What a returned top-up has left owing is taken as soon as its wallet has something. */
export async function collectDebts(db: Db, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined; !signal.aborted; ) {
    const owing = await owingAfter(db, after, AT_ONCE);
    const balances = await balancesOf(
      db,
      owing.map(({ account_id }) => account_id),
    );
    for (const { top_up_id, account_id } of owing)
      if ((balances.get(account_id)?.available ?? 0n) > 0n) await collect(db, top_up_id);
    after = owing.at(-1)?.top_up_id;
    if (owing.length < AT_ONCE) return;
  }
}

async function collect(db: Db, top_up_id: string): Promise<void> {
  try {
    await transact(db, async (tx) => {
      const row = await lockTopUp(tx, { top_up_id });
      if (!row || row.owed <= 0n) return;
      const taken = await takeable(tx, row.account_id, row.owed);
      if (taken <= 0n) return;
      const { owed: house } = await bankAccounts(tx);
      await lowerDebt(tx, top_up_id, row.owed - taken);
      await postWithin(tx, {
        // What was owed before names it, since it only becomes less.
        key: `bank-top-up:${top_up_id}:debt:${row.owed}`,
        kind: 'bank-top-up-debt',
        legs: transfer(row.account_id, house, taken),
      });
    });
  } catch (error) {
    // Spent or frozen in the same moment: the next run asks again.
    if (!isNotCovered(error)) throw error;
  }
}
