import { done, type Outcome, refused } from '#kernel/effects/outcome.ts';
import type {
  NetworkContents,
  NetworkFees,
  NetworkView,
  SeenAddress,
  SeenMove,
  SeenTransaction,
} from '../network-view.ts';
import type { Blockfrost, SeenUtxos } from './blockfrost.ts';
import type { WirePlace } from './blockfrost-wire.ts';
import type { Params } from './build.ts';
import { medianConfirmation } from './finality-store.ts';
import type { CardanoKeys } from './keys.ts';

const ADA_DIGITS = 6;
const USDC_DIGITS = 6;
/** Blocks come each twenty seconds on average, and sometimes minutes late. */
const BEHIND_S = 300;
const EXPLORER = 'https://preprod.cardanoscan.io';
/** Preprod, in its protocol's handshake. */
const NETWORK_MAGIC = 1;
/** Bytes of a payment with one input, two outputs and a signature. */
const TRANSFER_BYTES = 300n;
/** Movements that are shown of one transaction. */
const MOVES_MAX = 50;

interface CardanoViewDeps {
  readonly node: Pick<Blockfrost, 'params' | 'tip' | 'see' | 'holdings'>;
  readonly keys: () => Promise<CardanoKeys>;
  readonly network: string;
  readonly confirmations: number;
  readonly isConfigured: boolean;
}

/** Cardano's test network as people read it. */
export function cardanoView(deps: CardanoViewDeps): NetworkView {
  const { node, keys, confirmations } = deps;
  /** Without a ledger behind it nothing is asked. */
  const configured = async <T>(ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
    deps.isConfigured ? ask() : refused('NOT_CONFIGURED', 'There is no ledger');
  return {
    facts: {
      kind: 'cardano',
      name: 'Cardano Preprod',
      chain_id: NETWORK_MAGIC,
      native: 'ADA',
      confirmations,
      explorer_url: EXPLORER,
      is_testnet: true,
      behind_s: BEHIND_S,
    },
    contents: async () => done(contentsOf(await keys())),
    newest: () =>
      configured(async () => {
        const tip = await node.tip();
        if (tip.kind !== 'done') return tip;
        const { height, hash, at } = tip.value;
        return done({ height, hash, at });
      }),
    fees: () =>
      configured(async () => {
        const params = await node.params();
        return params.kind === 'done' ? done(feesOf(params.value)) : params;
      }),
    typedHash: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined),
    transaction: (hash) => configured(() => seenTransaction(deps, hash)),
    address: (address) => configured(() => seenAddress(deps, address)),
    explorerUrl: (hash) => `${EXPLORER}/transaction/${hash}`,
    finalityP50: (db) => medianConfirmation(db, deps.network),
  };
}

const contentsOf = ({ policyId, assetId }: CardanoKeys): NetworkContents => ({
  contracts: { usdc_policy: policyId },
  tokens: [
    {
      symbol: 'USDC',
      address: assetId,
      digits: USDC_DIGITS,
      permit: false,
      transfer_with_authorization: false,
    },
  ],
});

/** The protocol fixes the fee by size, whatever the speed. */
function feesOf({ feePerByte, feeFixed }: Params): NetworkFees {
  const fee = { price: feePerByte, transferCost: feeFixed + feePerByte * TRANSFER_BYTES };
  return { slow: fee, normal: fee, fast: fee };
}

async function seenTransaction(
  { node, keys, confirmations }: CardanoViewDeps,
  hash: string,
): Promise<Outcome<SeenTransaction | undefined>> {
  const [found, tip] = await Promise.all([node.see(hash), node.tip()]);
  if (found.kind !== 'done') return found;
  if (tip.kind !== 'done') return tip;
  if (found.value === undefined) return done(undefined);
  const { block, fee } = found.value;
  const deep = block === undefined ? 0 : Math.max(1, tip.value.height - block.height + 1);
  const counted = deep >= confirmations ? 'FINAL' : 'MINED';
  return done({
    status: block === undefined ? 'PENDING' : counted,
    block: block?.height ?? null,
    confirmations: deep,
    fee,
    moves: movesOf(found.value, (await keys()).assetId).slice(0, MOVES_MAX),
    kind: 'transfer',
  });
}

/**
 * What outputs give to addresses that spend nothing here: the rest is change. Tokens of which more comes out than goes in
 * are minted, and of which less are burnt.
 */
function movesOf({ inputs, outputs }: SeenUtxos, assetId: string): SeenMove[] {
  const spent = inputs.filter((one) => !one.collateral && !one.reference);
  const made = outputs.filter((one) => !one.collateral);
  const [from = null] = spent.map(({ address }) => address);
  const spenders = new Set(spent.map(({ address }) => address));
  const before = totalsOf(spent);
  const after = totalsOf(made);
  const named = (unit: string): Pick<SeenMove, 'asset' | 'digits'> => {
    if (unit === 'lovelace') return { asset: 'ADA', digits: ADA_DIGITS };
    return unit === assetId ? { asset: 'USDC', digits: USDC_DIGITS } : { asset: unit, digits: 0 };
  };
  const grown = (unit: string) => (after.get(unit) ?? 0n) - (before.get(unit) ?? 0n);
  const isMinted = (unit: string) => spent.length > 0 && unit !== 'lovelace' && grown(unit) > 0n;
  const given = made
    .filter(({ address }) => !spenders.has(address))
    .flatMap(({ address: to, amount }) =>
      amount
        .filter(({ unit }) => !isMinted(unit))
        .map(({ unit, quantity }) => ({ ...named(unit), from, to, units: BigInt(quantity) })),
    );
  const minted = [...after.keys()].filter(isMinted).map((unit) => {
    const holders = made.filter(({ amount }) => amount.some((one) => one.unit === unit));
    const to = holders.find(({ address }) => !spenders.has(address)) ?? holders[0];
    return { ...named(unit), from: null, to: to?.address ?? null, units: grown(unit) };
  });
  const burnt = [...before].flatMap(([unit, units]) => {
    const gone = units - (after.get(unit) ?? 0n);
    return unit === 'lovelace' || gone <= 0n
      ? []
      : [{ ...named(unit), from, to: null, units: gone }];
  });
  return [...minted, ...given, ...burnt];
}

function totalsOf(places: readonly WirePlace[]): Map<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { unit, quantity } of places.flatMap(({ amount }) => amount))
    totals.set(unit, (totals.get(unit) ?? 0n) + BigInt(quantity));
  return totals;
}

async function seenAddress(
  { node, keys }: CardanoViewDeps,
  address: string,
): Promise<Outcome<SeenAddress>> {
  const held = await node.holdings(address, (await keys()).assetId);
  if (held.kind !== 'done') return held;
  const { lovelace, usdc, others } = held.value;
  return done({
    balances: [
      { asset: 'ADA', units: lovelace, digits: ADA_DIGITS },
      { asset: 'USDC', units: usdc, digits: USDC_DIGITS },
      ...others.slice(0, MOVES_MAX).map(({ unit, quantity: units }) => ({
        asset: unit,
        units,
        digits: 0,
      })),
    ],
  });
}
