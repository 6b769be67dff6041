import { PRIMARY_WALLETS } from '#features/ramps/exchange-wallets/exchange-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';

interface LatestFees {
  readonly trade_fee: bigint | null;
  readonly trade_bought: bigint | null;
  readonly network_fee: bigint | null;
}

/** Of the latest trade and of the latest withdrawal on the network of the user's primary wallet, in units of USDC. */
export async function latestFees(db: Db, user_id: number): Promise<LatestFees> {
  const [row] = await run<LatestFees>(
    db,
    `select t.fee_usdc as trade_fee, t.bought as trade_bought, w.fee as network_fee
     from (values (1)) one (n)
     left join lateral (
       select fee_usdc, bought from conversion_orders
       where state = 'FILLED' order by ended_at desc, order_id desc limit 1) t on t.bought > 0
     left join lateral (
       select w.fee from (${PRIMARY_WALLETS}) x
       cross join lateral (
         select fee from conversion_withdrawals
         where network = x.network and state = 'COMPLETED'
         order by withdrawal_id desc limit 1) w
       where x.user_id = $1 limit 1) w on true`,
    [user_id],
  );
  return row ?? { trade_fee: null, trade_bought: null, network_fee: null };
}
