import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { OwnBalance } from '../port.ts';
import { blockfrost } from './blockfrost.ts';
import type { CardanoListener } from './booked.ts';
import { loadLib } from './csl.ts';
import { cardanoDestinations } from './destinations.ts';
import { readHoldings } from './held.ts';
import { findLive } from './journal.ts';
import { cardanoKeys, typedAddress } from './keys.ts';
import { monitorOpen } from './monitor.ts';
import type { ManagedCardano } from './port.ts';
import { forgetOld } from './retention.ts';
import { createSending, type SendingDeps, workOf } from './sending.ts';
import { readStatement } from './statement.ts';
import { cardanoView } from './view.ts';

export interface CardanoOptions extends Pick<SendingDeps, 'db' | 'clock' | 'log'> {
  /** The platform's own chain accounts come from it. */
  readonly mnemonic: string;
  /** Blockfrost's address, or the sandbox's; asked for at each call. */
  url(): string;
  readonly projectId: string;
  /** Whether the ledger is the sandbox's own. */
  readonly isSandbox: boolean;
  /** How long a caller waits for a block, instead of as long as is usual there. */
  readonly waitMs?: number;
  readonly isConfigured: boolean;
  /** Blocks from which on a transaction counts, its own being the first; as is usual there when absent. */
  readonly confirmations?: number | undefined;
}

/** A public network makes a block in twenty seconds, and takes back hardly more than a few of them. */
const PUBLIC = {
  waitMs: 45_000,
  pollMs: 1_000,
  ttlSlots: 1_800,
  marginSlots: 1_200,
  confirmations: 5,
  finalDepth: 60,
};
/** The sandbox makes a block of each transaction, and takes one back only on command. */
const OWN = {
  waitMs: 5_000,
  pollMs: 25,
  ttlSlots: 1_800,
  marginSlots: 0,
  confirmations: 1,
  finalDepth: 20,
};

/** Cardano's test network, or the sandbox's ledger. Nothing is loaded or asked before it is used. */
export function createCardanoNetwork(options: CardanoOptions): ManagedCardano {
  const { isSandbox, isConfigured, mnemonic } = options;
  const keys = cardanoKeys(mnemonic);
  let isUsed = false;
  const url = () => {
    isUsed = true;
    return options.url();
  };
  const node = blockfrost({ ...options, url });
  const network = isSandbox ? 'sandbox' : 'preprod';
  const usual = isSandbox ? OWN : PUBLIC;
  const confirmations = options.confirmations ?? usual.confirmations;
  const work = workOf({ ...usual, ...options, confirmations, node, keys, network });
  const send = createSending(work);
  const finalDepth = Math.max(usual.finalDepth, confirmations + 1);
  const listeners: CardanoListener[] = [];
  const typed = async (text: string) => typedAddress(await loadLib(), text);
  return {
    ...cardanoDestinations(keys),
    isConfigured,
    chain: {
      key: 'cardano',
      native: 'ADA',
      isOwn: isSandbox,
      addressForm: 'addr_test1… of the test networks',
      typedAddress: typed,
      isRunning: () => isUsed,
      head: node.tip,
      ownBalances: () => balancesOf(node, keys),
      view: cardanoView({ node, keys, network, confirmations, isConfigured }),
    },
    network: 'preprod',
    async identity() {
      const { treasury, policyId, assetId } = await keys();
      return { treasury, policyId, assetName: 'USDC', assetId };
    },
    typedAddress: typed,
    send,
    costOf: work.signing.costOf,
    mayHappen: async (tx, reference) => (await findLive(tx, network, reference)) !== undefined,
    holdings: (address) => readHoldings(work, address),
    supply: async () => node.supply((await keys()).assetId),
    statement: async (window) => readStatement(node, (await keys()).assetId, window),
    listen: (listener) => void listeners.push(listener),
    monitorOpen: async () =>
      isConfigured ? monitorOpen({ ...work, send, finalDepth, listeners }) : undefined,
    forgetOld: () => forgetOld(options, network),
  };
}

const ADA = 1e6;
const USDC = 1e6;

async function balancesOf(
  node: Pick<ReturnType<typeof blockfrost>, 'holdings'>,
  keys: ReturnType<typeof cardanoKeys>,
): Promise<Outcome<readonly OwnBalance[]>> {
  const { treasury, assetId } = await keys();
  const held = await node.holdings(treasury, assetId);
  if (held.kind !== 'done') return held;
  const { lovelace, usdc } = held.value;
  const wallet = 'treasury';
  return done([
    { wallet, asset: 'native', amount: Number(lovelace) / ADA },
    { wallet, asset: 'USDC', amount: Number(usdc) / USDC },
  ]);
}
