import { createHash, randomBytes } from 'node:crypto';
import type { Params } from '#chains/cardano/build.ts';
import { loadLib } from '#chains/cardano/csl.ts';
import type { World } from '#sandbox/simulator.ts';
import { checkTransaction, Invalid, inputsOf, type Output } from './ledger-rules.ts';

/** The sandbox's name of it: of its records, and of its faults. */
export const PROVIDER = 'cardano';

/** What preprod asks for. */
export const PARAMS: Params = {
  feePerByte: 44n,
  feeFixed: 155_381n,
  coinsPerByte: 4_310n,
  keyDeposit: 2_000_000n,
  poolDeposit: 500_000_000n,
  maxTxSize: 16_384,
  maxValueSize: 5_000,
};

export interface StoredTx {
  readonly hash: string;
  readonly slot: number;
  readonly height: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly fee: string;
  readonly raw: string;
  readonly inputs: readonly { readonly txHash: string; readonly index: number }[];
  readonly outputs: readonly Output[];
}
export interface StoredAddress {
  /** Unspent, oldest first. */
  readonly utxos: readonly {
    readonly txHash: string;
    readonly index: number;
    readonly amounts: Output['amounts'];
  }[];
}
export interface StoredAsset {
  readonly asset: string;
  readonly quantity: string;
}
export interface StoredMove {
  readonly asset: string;
  readonly hash: string;
  readonly height: number;
  readonly time: number;
  /** Minted, or with a minus burnt; absent where it only moved. */
  readonly minted?: string;
}
interface Tip {
  readonly height: number;
  /** When the last transaction was taken in; empty blocks follow it. */
  readonly time?: number;
}

type Records = World['records'];

/** Slots are seconds since the test network began. */
const SLOT_ZERO = 1_655_683_200;
export const slotOf = ({ clock }: Pick<World, 'clock'>): number => clock.seconds() - SLOT_ZERO;

/** The network makes a block in twenty seconds, with something in it or not. */
const BLOCK_S = 20;

/** Of the newest block. */
export async function heightOf(
  records: Pick<Records, 'get'>,
  clock: World['clock'],
): Promise<number> {
  const tip = await records.get<Tip>(PROVIDER, 'tip', 'tip');
  return tip ? grown(tip, clock.seconds()) : 0;
}

const grown = ({ height, time }: Tip, now: number): number =>
  height + Math.max(0, Math.floor((now - (time ?? now)) / BLOCK_S));

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
  await write(records, world, { hash, fee: '0', raw: '', inputs: [], outputs }, { spent: [] });
}

/** Takes a transaction into a block, or throws `Invalid` with the rule that it breaks. */
export async function submit(world: World, raw: Buffer): Promise<string> {
  const lib = await loadLib();
  const inputs = inputsOf(lib, raw);
  return changing(world, async (records) => {
    const spent = await Promise.all(inputs.map((input) => unspentAt(records, input)));
    const circumstances = { params: PARAMS, slot: BigInt(slotOf(world)), spent };
    const { hash, fee, outputs, minted } = checkTransaction(lib, raw, circumstances);
    for (const { txHash, index } of inputs)
      if (!(await records.insert(PROVIDER, 'spent', `${txHash}#${index}`, { by: hash })))
        throw new Invalid('BadInputsUTxO');
    const entry = { hash, fee, raw: raw.toString('hex'), inputs, outputs };
    await write(records, world, entry, { spent: spent.flatMap((o) => o ?? []), minted });
    return hash;
  });
}

async function unspentAt(
  records: Records,
  { txHash, index }: { readonly txHash: string; readonly index: number },
): Promise<Output | undefined> {
  if (await records.get(PROVIDER, 'spent', `${txHash}#${index}`)) return undefined;
  return (await records.get<StoredTx>(PROVIDER, 'tx', txHash))?.outputs[index];
}

type NewTx = Pick<StoredTx, 'hash' | 'fee' | 'raw' | 'inputs' | 'outputs'>;

async function write(
  records: Records,
  world: World,
  tx: NewTx,
  { spent, minted = {} }: { spent: readonly Output[]; minted?: Readonly<Record<string, string>> },
): Promise<void> {
  const time = world.clock.seconds();
  const tip = await records.update<Tip>(PROVIDER, 'tip', 'tip', (old) => ({
    height: grown(old, time) + 1,
    time,
  }));
  const height = tip?.height ?? 0;
  await records.insert(PROVIDER, 'tx', tx.hash, { ...tx, slot: slotOf(world), height, time });
  const addresses = new Set([...spent, ...tx.outputs].map(({ address }) => address));
  for (const address of addresses) await moveAt(records, address, tx);
  const touched = new Set([...spent, ...tx.outputs].flatMap(({ amounts }) => Object.keys(amounts)));
  for (const asset of touched) {
    if (asset === 'lovelace') continue;
    const units = minted[asset];
    const move: StoredMove = {
      asset,
      hash: tx.hash,
      height,
      time,
      ...(units && { minted: units }),
    };
    await records.insert(PROVIDER, 'move', `${asset} ${tx.hash}`, move);
    if (units !== undefined) await supply(records, asset, BigInt(units));
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

/** There is so much more of it, or with a minus less. */
export async function supply(records: Records, asset: string, units: bigint): Promise<void> {
  const change = ({ quantity }: Pick<StoredAsset, 'quantity'>): StoredAsset => ({
    asset,
    quantity: String(BigInt(quantity) + units),
  });
  if (await records.update<StoredAsset>(PROVIDER, 'asset', asset, change)) return;
  await records.insert(PROVIDER, 'asset', asset, change({ quantity: '0' }));
}
