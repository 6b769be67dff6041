import { type Db, run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { HOLD_OWNERS } from '#src/app/hold-owners.ts';
import { counted, ok, type RestoreFindings, wrong } from './finding.ts';

/** The whole ledger, recomputed from its entries. Nothing is noted in the copy. */
export async function checkLedger(db: Db): Promise<RestoreFindings[]> {
  const { accounts, transfers, entries, rules, broken } = await verifyLedger(db, HOLD_OWNERS);
  const read = `${counted(accounts, 'account')}, ${counted(transfers, 'transfer')}, ${entries} entries`;
  if (broken.length === 0) return [ok(`${read}: all ${rules} rules hold`)];
  const rows = broken.flatMap(({ rule, breaks }) => breaks.map((found) => ({ rule, found })));
  return [wrong(`${read}: ${counted(broken.length, 'rule')} broken`, rows)];
}

/** What people have, and what the house and the world outside stand for it: nothing, taken together. */
export async function checkBalance(db: Db): Promise<RestoreFindings[]> {
  const rows = await run<{ asset: string; wallets: string; house: string; sum: string }>(
    db,
    BALANCE,
    [],
  );
  const off = rows.filter(({ sum }) => sum !== '0');
  if (off.length > 0) return [wrong('The books do not balance', off)];
  return [ok('The books balance in each asset', rows)];
}

const BALANCE = `
  with sums as (
    select asset, sum(posted) filter (where owner <> 'house') as wallets,
      sum(posted) filter (where owner = 'house') as house, sum(posted) as posted
    from ledger.accounts group by asset)
  select asset, trim_scale(coalesce(wallets, 0) / 10::numeric ^ scale)::text as wallets,
    trim_scale(coalesce(house, 0) / 10::numeric ^ scale)::text as house,
    trim_scale(posted / 10::numeric ^ scale)::text as sum
  from sums join ledger.assets using (asset) where wallets <> 0 or house <> 0 or posted <> 0 order by asset`;

/** Sums that others keep beside the ledger are the ledger's, too. */
export async function checkKeptSums(db: Db): Promise<RestoreFindings[]> {
  const differing = await run<{ what: string; kept: string; ledger: string }>(db, KEPT, []);
  if (differing.length > 0) return [wrong('Sums that are kept differ from the ledger', differing)];
  return [ok('What is kept beside the ledger agrees with it')];
}

/** A fiat wallet without its account could be neither paid nor read. */
const KEPT = `
  select what, kept::text as kept, ledger::text as ledger from (
    select 'rupiah tokens' as what,
      (select coalesce(sum(minted - taken_back - redeemed), 0) from idr_supply) as kept,
      (select coalesce(sum(posted), 0) from ledger.accounts
       where owner = 'house' and purpose = 'idr-token-reserve') as ledger
    union all
    select 'wallets and their accounts', count(*), count(a.account_id)
    from fiat_wallets w left join ledger.accounts a using (account_id)) s
  where kept <> ledger`;
