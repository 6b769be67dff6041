import { createHash, randomBytes } from 'node:crypto';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import { growChain, slotOf } from './blocks.ts';
import type { Output } from './ledger-rules.ts';
import {
  type NewTx,
  type Place,
  PROVIDER,
  type StoredAddress,
  type StoredAsset,
  type StoredMove,
  type StoredVisit,
} from './stored.ts';

/** Coins enough for a million transactions. */
const GENESIS_LOVELACE = '1000000000000000';
const GENESIS = createHash('sha256').update('archipay cardano genesis').digest('hex');

/** One change of the ledger at a time: a block of its own each. */
export const changing = <T>(world: World, work: (records: Records) => Promise<T>): Promise<T> =>
  world.records.exclusively(PROVIDER, 'ledger', 'tip', work);

/** The treasury has coins from the beginning. */
export async function ensureGenesis(world: World, treasury: string): Promise<void> {
  if (await world.records.get(PROVIDER, 'tx', GENESIS)) return;
  await changing(world, async (records) => {
    if (await records.get(PROVIDER, 'tx', GENESIS)) return;
    await records.insert(PROVIDER, 'tip', 'tip', { height: 0 });
    await grant(records, world, GENESIS, { address: treasury, lovelace: GENESIS_LOVELACE });
  });
}

/** Coins out of nothing, as a test network's faucet seems to give them. */
export async function giveCoins(
  world: World,
  gift: { readonly address: string; readonly lovelace: string },
): Promise<string> {
  const hash = randomBytes(32).toString('hex');
  await changing(world, (records) => grant(records, world, hash, gift));
  return hash;
}

async function grant(
  records: Records,
  world: World,
  hash: string,
  { address, lovelace }: { readonly address: string; readonly lovelace: string },
): Promise<void> {
  const outputs = [{ address, amounts: { lovelace } }];
  const place = await growChain(records, world);
  const tx = { hash, fee: '0', raw: '', inputs: [], outputs };
  await writeTransaction(records, world, tx, { spent: [], place });
}

/** Takes it into a block. */
export async function writeTransaction(
  records: Records,
  world: World,
  tx: NewTx,
  { spent, place }: { readonly spent: readonly Output[]; readonly place: Place },
): Promise<void> {
  const { hash, outputs, minted = {} } = tx;
  await records.insert(PROVIDER, 'tx', hash, { ...tx, ...place, slot: slotOf(world) });
  for (const { txHash, index } of tx.inputs)
    await records.insert(PROVIDER, 'spent', `${txHash}#${index}`, { by: hash });
  const addresses = new Set([...spent, ...outputs].map(({ address }) => address));
  for (const address of addresses) {
    await moveAt(records, address, tx);
    const visit: StoredVisit = { ...place, address, hash };
    await records.insert(PROVIDER, 'visit', `${address} ${hash}`, visit);
  }
  const touched = new Set([...spent, ...outputs].flatMap(({ amounts }) => Object.keys(amounts)));
  for (const asset of touched) {
    if (asset === 'lovelace') continue;
    const units = minted[asset];
    const move: StoredMove = { ...place, asset, hash, ...(units && { minted: units }) };
    await records.insert(PROVIDER, 'move', `${asset} ${hash}`, move);
    if (units !== undefined) await supply(records, { asset, hash }, BigInt(units));
  }
}

/** What of the transaction, and of `more`, an address has now. */
export async function moveAt(
  records: Records,
  address: string,
  tx: Pick<NewTx, 'hash' | 'inputs' | 'outputs'>,
  more: StoredAddress['utxos'] = [],
): Promise<void> {
  const change = ({ utxos }: StoredAddress): StoredAddress => {
    const kept = utxos.filter(
      (utxo) => !tx.inputs.some((i) => i.txHash === utxo.txHash && i.index === utxo.index),
    );
    const made = tx.outputs.flatMap(({ address: to, amounts }, index) =>
      to === address ? [{ txHash: tx.hash, index, amounts }] : [],
    );
    return { utxos: [...kept, ...made, ...more] };
  };
  if (await records.update<StoredAddress>(PROVIDER, 'address', address, change)) return;
  await records.insert(PROVIDER, 'address', address, change({ utxos: [] }));
}

/** There is so much more of it, or with a minus less; `undone` where a minting is taken back. */
export async function supply(
  records: Records,
  { asset, hash }: { readonly asset: string; readonly hash: string },
  units: bigint,
  change: 'done' | 'undone' = 'done',
): Promise<void> {
  const next = ({ quantity, times = 1, first }: StoredAsset): StoredAsset => ({
    asset,
    quantity: String(BigInt(quantity) + units),
    times: times + (change === 'done' ? 1 : -1),
    first: first ?? hash,
  });
  if (await records.update<StoredAsset>(PROVIDER, 'asset', asset, next)) return;
  await records.insert(PROVIDER, 'asset', asset, next({ asset, quantity: '0', times: 0 }));
}
