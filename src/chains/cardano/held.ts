import { type Db, run } from '#kernel/db/db.ts';
import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { Amounts, Blockfrost, TokenAmount } from './blockfrost.ts';
import { type Params, USUAL_PARAMS, type Utxo } from './build.ts';
import { inLib, type Lib, loadLib } from './csl.ts';
import type { CardanoKeys } from './keys.ts';
import type { Holdings } from './port.ts';

interface HeldDeps {
  readonly db: Db;
  readonly node: Blockfrost;
  readonly keys: () => Promise<CardanoKeys>;
  readonly network: string;
}

/**
 * What an address has, and what of it cannot be sent: the coins that its tokens must have beside them, and at the
 * platform's own what transactions under way spend.
 */
export async function readHoldings(deps: HeldDeps, address: string): Promise<Outcome<Holdings>> {
  const { treasury, assetId } = await deps.keys();
  const found = await deps.node.holdings(address, assetId);
  if (found.kind !== 'done') return found;
  const free = address === treasury ? await freeOf(deps) : found;
  if (free.kind !== 'done') return free;
  const { lovelace, usdc } = found.value;
  const locked = await lockedBy(deps, address, free.value);
  const coins = free.value.lovelace > locked ? free.value.lovelace - locked : 0n;
  const held = {
    lovelace: lovelace - least(coins, lovelace),
    usdc: usdc - least(free.value.usdc, usdc),
  };
  return done({ lovelace, usdc, held });
}

/** What the treasury can spend; what holds tokens of others is spent by none of our transactions. */
async function freeOf(deps: HeldDeps): Promise<Outcome<Amounts>> {
  const { treasury, assetId } = await deps.keys();
  const there = await deps.node.utxos(treasury, assetId);
  if (there.kind !== 'done') return there;
  return done({ ...(await notSpent(deps, there.value)), others: [] });
}

/** Coins that have to stay with those tokens. */
async function lockedBy({ node, keys }: HeldDeps, address: string, { usdc, others }: Amounts) {
  const { assetId } = await keys();
  const tokens = [...(usdc > 0n ? [{ unit: assetId, quantity: usdc }] : []), ...others];
  if (tokens.length === 0) return 0n;
  const params = await node.params();
  const { coinsPerByte } = params.kind === 'done' ? params.value : USUAL_PARAMS;
  return coinsBeside(await loadLib(), address, { tokens, coinsPerByte });
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** So many as the output has that is measured: about as many as it needs, so that they are as long. */
const ABOUT = '4000000';
const POLICY_DIGITS = 56;

interface Kept extends Pick<Params, 'coinsPerByte'> {
  readonly tokens: readonly TokenAmount[];
}

/** The least coins of an output that keeps those tokens at that address. */
const coinsBeside = (lib: Lib, address: string, { tokens, coinsPerByte }: Kept): bigint =>
  inLib((keep) => {
    if (tokens.length === 0) return 0n;
    const all = keep(lib.MultiAsset.new());
    for (const { unit, quantity } of tokens) {
      const policy = keep(lib.ScriptHash.from_hex(unit.slice(0, POLICY_DIGITS)));
      const name = keep(lib.AssetName.new(Buffer.from(unit.slice(POLICY_DIGITS), 'hex')));
      all.set_asset(policy, name, keep(lib.BigNum.from_str(String(quantity))));
    }
    const value = keep(lib.Value.new(keep(lib.BigNum.from_str(ABOUT))));
    value.set_multiasset(all);
    const to = keep(lib.Address.from_bech32(address));
    const perByte = keep(lib.BigNum.from_str(String(coinsPerByte)));
    const cost = keep(lib.DataCost.new_coins_per_byte(perByte));
    const output = keep(lib.TransactionOutput.new(to, value));
    return BigInt(keep(lib.min_ada_for_output(output, cost)).to_str());
  });

/** What the treasury can spend of what the chain has, and of what comes back of transactions under way. */
async function notSpent(
  { db, network }: HeldDeps,
  there: readonly Utxo[],
): Promise<Pick<Utxo, 'lovelace' | 'usdc'>> {
  const [row] = await run<Pick<Utxo, 'lovelace' | 'usdc'>>(db, NOT_SPENT, [
    network,
    there.map(({ txHash }) => txHash),
    there.map(({ index }) => index),
    there.map(({ lovelace }) => String(lovelace)),
    there.map(({ usdc }) => String(usdc)),
  ]);
  return row ?? { lovelace: 0n, usdc: 0n };
}

const NOT_SPENT = `
  with there as (
    select * from unnest($2::text[], $3::integer[], $4::numeric[], $5::numeric[])
      t (tx_hash, index, lovelace, usdc))
  select coalesce(sum(lovelace), 0) as lovelace, coalesce(sum(usdc), 0) as usdc from (
    select t.lovelace, t.usdc from there t
    where not exists (select from cardano_outputs o
      where o.network = $1 and o.tx_hash = t.tx_hash and o.index = t.index and o.spent_by is not null)
    union all
    select o.lovelace, o.usdc from cardano_outputs o
    join cardano_transactions x on x.hash = o.tx_hash and x.state = 'SIGNED'
    where o.network = $1 and o.spent_by is null
      and not exists (select from there t where t.tx_hash = o.tx_hash and t.index = o.index)) free`;
