import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { HOLD_OWNERS } from '#src/app/hold-owners.ts';
import { houseBalance } from './cards.ts';
import { gatewayOf } from './gateway-controls.ts';
import type { Body, Harness } from './harness.ts';

interface Sum {
  readonly asset: string;
  readonly sum: string | bigint;
}

const sums = async (h: Harness, text: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await run<Sum>(h.db, text, [])).map(({ asset, sum }) => [asset, BigInt(sum).toString()]),
  );

const house = (purposes: string): string =>
  `select asset, sum(posted) as sum from ledger.accounts
    where owner = 'house' and purpose in (${purposes}) group by asset having sum(posted) <> 0`;

/** Where all money of wallets comes from, goes to and stands in between, when only people and banks take part. */
const PLACES = `'test', 'test-outside', 'gateway', 'bank-host', 'withdrawal-fees', 'wallet-fees', 'fx', 'fx-fees'`;

/**
 * What of the money between people and out to banks is not where its things say; empty where all of it is. Each pair is
 * our books and another party's: the banks', the traders', the owners of holds. Banks are ahead until all is settled.
 */
export async function wrongPeopleBooks(h: Harness, isSettled = true): Promise<Body> {
  const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
    'made or lost': [
      {},
      await sums(
        h,
        `select asset, sum(posted) as sum from ledger.accounts group by asset having sum(posted) <> 0`,
      ),
    ],
    'at places that are none': [
      {},
      await sums(
        h,
        `select asset, sum(abs(posted)) as sum from ledger.accounts
          where owner not like 'user:%' and not (owner = 'house' and purpose in (${PLACES}))
          group by asset having sum(abs(posted)) <> 0`,
      ),
    ],
    'below nothing': [
      {},
      await sums(
        h,
        `select asset, count(*) as sum from ledger.accounts
          where owner like 'user:%' and (held < 0 or posted < held) group by asset`,
      ),
    ],
    'at the gateway': [-(await houseBalance(h, 'gateway', 'IDR')), await gatewayOf(h).balance()],
    'at the bank': [
      await sums(h, house(`'bank-host'`)),
      await sums(
        h,
        `select data ->> 'currency' as asset, sum((data ->> 'amount')::numeric * 100
             * case data ->> 'direction' when 'DBIT' then 1 else -1 end)::bigint as sum
           from sandbox.records where provider = 'bank-host' and kind = 'booking'
         group by 1 having sum((data ->> 'amount')::numeric * case data ->> 'direction' when 'DBIT' then 1 else -1 end) <> 0`,
      ),
    ],
    traded: [
      await sums(h, house(`'fx'`)),
      await sums(
        h,
        `select asset, sum(units) as sum from (
           select from_asset as asset, from_units as units from fx_conversions
           union all select to_asset, -to_units from fx_conversions) legs
         group by asset having sum(units) <> 0`,
      ),
    ],
    charged: [
      await sums(h, house(`'withdrawal-fees', 'wallet-fees'`)),
      await sums(
        h,
        `select currency as asset, sum(fee) as sum from (
           select currency, fee from withdrawals where status in ('COMPLETED', 'RETURNED')
           union all select currency, fee from batch_items where status in ('COMPLETED', 'RETURNED')
           union all select currency, fee from wallet_transfers where status = 'COMPLETED'
           union all select currency, fee_captured from fiat_holds) fees
         group by currency having sum(fee) <> 0`,
      ),
    ],
  };
  const compared = Object.entries(pairs).filter(
    ([name]) => isSettled || !name.startsWith('at the '),
  );
  const wrong = compared.filter(([, [a, b]]) => shown(a) !== shown(b));
  const { broken } = await verifyLedger(h.db, HOLD_OWNERS);
  return Object.fromEntries([...wrong, ...broken.map(({ rule, breaks }) => [rule, breaks])]);
}

const shown = (value: unknown): string =>
  typeof value === 'bigint'
    ? value.toString()
    : JSON.stringify(Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What is set aside in wallets, by asset. */
export const heldInWallets = (h: Harness): Promise<Record<string, string>> =>
  sums(
    h,
    `select asset, sum(held) as sum from ledger.accounts where owner like 'user:%'
      group by asset having sum(held) <> 0`,
  );
