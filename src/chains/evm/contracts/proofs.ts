import {
  type Address,
  getAbiItem,
  getAddress,
  type Hash,
  isAddressEqual,
  type Log,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from 'viem';
import { receiptOf } from '../client.ts';
import { chainFault } from '../fault.ts';
import type { EvmChain } from '../port.ts';
import { type BridgeTransfer, bridgeNonce, orderKey } from './calls.ts';
import { burnMintBridge, idrToken, marketplacePayments } from './contracts.generated.ts';
import { searchLogs } from './search.ts';

/** Why a transaction proves nothing (yet). */
export type Disproof =
  /** The chain does not know it. */
  | 'unknown'
  /** Known, without the confirmations asked for. */
  | 'unconfirmed'
  | 'reverted'
  /** On chain and successful, but something else. */
  | 'other';

export type Proof<T> =
  | { readonly proven: T; readonly receipt: TransactionReceipt }
  | { readonly disproof: Disproof };

/** Where a proof is looked for, and kept. */
export type Witness = Pick<EvmChain, 'client' | 'snapshot'>;

export interface ExpectedBurn {
  /** The log's nonce as text. */
  readonly nonce: string;
  readonly units: bigint;
  readonly toChainId: number;
  readonly recipient: Address;
}

/** Whether that transaction burnt exactly this transfer at our bridge. Answers who burnt. */
export async function proveBridgeBurn(
  chain: Witness & Pick<EvmChain, 'contracts'>,
  hash: Hash,
  expected: ExpectedBurn & { readonly confirmations: number },
): Promise<Proof<{ readonly from: Address }>> {
  return prove(chain, hash, expected.confirmations, (logs) => {
    const match = bridgeBurnIn(chain, logs, expected);
    return match && { from: getAddress(match.args.from) };
  });
}

/** The transaction that burnt exactly this transfer at our bridge since then, however deep it is. */
export const findBridgeBurn = (
  chain: Pick<EvmChain, 'client' | 'contracts'>,
  { since, ...expected }: ExpectedBurn & { readonly since: Date },
): Promise<Hash | undefined> =>
  searchLogs(
    chain,
    {
      address: chain.contracts.bridge,
      event: BURNED,
      args: { nonce: bridgeNonce(expected.nonce) },
      since,
    },
    (logs) => bridgeBurnIn(chain, logs, expected)?.transactionHash ?? undefined,
  );

const BURNED = getAbiItem({ abi: burnMintBridge.abi, name: 'Burned' });

const bridgeBurnIn = (
  { contracts }: Pick<EvmChain, 'contracts'>,
  logs: Log[],
  expected: ExpectedBurn,
) =>
  parseEventLogs({ abi: burnMintBridge.abi, eventName: 'Burned', logs }).find(
    ({ address, args }) =>
      isAddressEqual(address, contracts.bridge) &&
      args.nonce === bridgeNonce(expected.nonce) &&
      args.amount === expected.units &&
      args.toChainId === BigInt(expected.toChainId) &&
      isAddressEqual(args.recipient, expected.recipient),
  );

interface ExpectedMint extends BridgeTransfer {
  readonly fromChainId: number;
  readonly burnTx: Hash;
}

/** Whether that transaction minted exactly this transfer at our bridge, against that burn. */
export const proveBridgeMint = (
  chain: Witness & Pick<EvmChain, 'contracts'>,
  hash: Hash,
  expected: ExpectedMint,
): Promise<Proof<object>> =>
  prove(chain, hash, 1, (logs) =>
    parseEventLogs({ abi: burnMintBridge.abi, eventName: 'Minted', logs }).find(
      ({ address, args }) =>
        isAddressEqual(address, chain.contracts.bridge) &&
        args.nonce === bridgeNonce(expected.nonce) &&
        args.amount === expected.units &&
        args.fromChainId === BigInt(expected.fromChainId) &&
        args.burnTx === expected.burnTx &&
        isAddressEqual(args.recipient, expected.recipient),
    ),
  );

/** Whether that transaction burnt exactly those units of a token held by `from`. */
export async function proveTokenBurn(
  chain: Witness,
  token: Address,
  hash: Hash,
  expected: { from: Address; units: bigint; confirmations: number },
): Promise<Proof<{ readonly from: Address }>> {
  return prove(chain, hash, expected.confirmations, (logs) => {
    const burnt = parseEventLogs({ abi: idrToken.abi, eventName: 'Transfer', logs })
      .filter(
        ({ address, args }) => isAddressEqual(address, token) && isBurnBy(args, expected.from),
      )
      .map(({ args }) => args.value);
    return burnt.includes(expected.units) ? { from: getAddress(expected.from) } : undefined;
  });
}

/** Whether that transaction made exactly those units of a token for `to`. */
export async function proveTokenMint(
  chain: Witness,
  token: Address,
  hash: Hash,
  expected: { to: Address; units: bigint; confirmations: number },
): Promise<Proof<object>> {
  return prove(chain, hash, expected.confirmations, (logs) =>
    parseEventLogs({ abi: idrToken.abi, eventName: 'Transfer', logs }).find(
      ({ address, args }) =>
        isAddressEqual(address, token) &&
        isAddressEqual(args.from, zeroAddress) &&
        isAddressEqual(args.to, expected.to) &&
        args.value === expected.units,
    ),
  );
}

/** Whether that transaction paid an order at our payment contract. Answers who paid. */
export async function proveOrderPayment(
  chain: Witness & Pick<EvmChain, 'contracts'>,
  hash: Hash,
  expected: { orderId: string; token: Address; units: bigint; confirmations: number },
): Promise<Proof<{ readonly from: Address }>> {
  return prove(chain, hash, expected.confirmations, (logs) => {
    const { abi } = marketplacePayments;
    const match = parseEventLogs({ abi, eventName: 'PaymentReceived', logs }).find(
      ({ address, args }) =>
        isAddressEqual(address, chain.contracts.marketplace) &&
        args.orderKey === orderKey(expected.orderId) &&
        args.amount === expected.units &&
        isAddressEqual(args.token, expected.token),
    );
    return match && { from: getAddress(match.args.payer) };
  });
}

const isBurnBy = ({ from, to }: { from: Address; to: Address }, holder: Address): boolean =>
  isAddressEqual(to, zeroAddress) && isAddressEqual(from, holder);

/**
 * What `find` sees in the logs of a successful transaction. Its own block is its first confirmation.
 * An embedded chain keeps its state before the proof is answered: the transaction may be in no
 * journal of ours, and what was accepted must still be there after a crash.
 */
export async function prove<T>(
  chain: Witness,
  hash: Hash,
  confirmations: number,
  find: (logs: Log[]) => T | undefined,
): Promise<Proof<T>> {
  try {
    const client = await chain.client();
    const [receipt, head] = await Promise.all([receiptOf(client, hash), client.getBlockNumber()]);
    if (receipt === undefined) return { disproof: 'unknown' };
    if (receipt.status !== 'success') return { disproof: 'reverted' };
    const proven = find(receipt.logs);
    if (proven === undefined) return { disproof: 'other' };
    const deep = head - receipt.blockNumber + 1n >= BigInt(confirmations);
    if (!deep) return { disproof: 'unconfirmed' };
    await chain.snapshot();
    return { proven, receipt };
  } catch (error) {
    throw chainFault(error);
  }
}
