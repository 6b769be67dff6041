import { blockfrost } from './blockfrost.ts';
import { loadLib } from './csl.ts';
import { cardanoKeys, typedAddress } from './keys.ts';
import type { Cardano } from './port.ts';
import { createSending, type SendingDeps } from './sending.ts';
import { readStatement } from './statement.ts';

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
}

/** A public network makes a block in twenty seconds, and takes back hardly more than a few of them. */
const PUBLIC = {
  waitMs: 45_000,
  pollMs: 1_000,
  ttlSlots: 1_800,
  marginSlots: 1_200,
};
/** The sandbox makes a block of each transaction, and takes none back. */
const OWN = { waitMs: 5_000, pollMs: 25, ttlSlots: 1_800, marginSlots: 0 };

/** Cardano's test network, or the sandbox's ledger. Nothing is loaded or asked before it is used. */
export function createCardano(options: CardanoOptions): Cardano {
  const { isSandbox, isConfigured, mnemonic } = options;
  const keys = cardanoKeys(mnemonic);
  const node = blockfrost(options);
  const network = isSandbox ? 'sandbox' : 'preprod';
  const usual = isSandbox ? OWN : PUBLIC;
  return {
    isConfigured,
    network: 'preprod',
    async identity() {
      const { treasury, policyId, assetId } = await keys();
      return { treasury, policyId, assetName: 'USDC', assetId };
    },
    typedAddress: async (text) => typedAddress(await loadLib(), text),
    send: createSending({ ...usual, ...options, node, keys, network }),
    holdings: async (address) => node.holdings(address, (await keys()).assetId),
    supply: async () => node.supply((await keys()).assetId),
    statement: async (window) => readStatement(node, (await keys()).assetId, window),
  };
}
