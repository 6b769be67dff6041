import {
  type Address,
  erc20Abi,
  type Hash,
  isAddressEqual,
  parseEventLogs,
  TransactionNotFoundError,
} from 'viem';
import { chainFault } from '../fault.ts';
import { type Proof, prove, type Witness } from './proofs.ts';

export interface ExpectedTransfer {
  /** The contract, or nothing for the chain's own coin. */
  readonly token?: Address | undefined;
  readonly from: Address;
  readonly to: Address;
  readonly units: bigint;
  readonly confirmations: number;
}

/** Whether that transaction moved exactly those units between those two addresses. */
export async function proveTransfer(
  chain: Witness,
  hash: Hash,
  expected: ExpectedTransfer,
): Promise<Proof<{ readonly from: Address }>> {
  const { token, from, to, units, confirmations } = expected;
  if (token === undefined) {
    const sent = await isCoinTransfer(chain, hash, expected);
    if (sent === undefined) return { disproof: 'unknown' };
    return prove(chain, hash, confirmations, () => (sent ? { from } : undefined));
  }
  return prove(chain, hash, confirmations, (logs) => {
    const moved = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).some(
      ({ address, args }) =>
        isAddressEqual(address, token) &&
        isAddressEqual(args.from, from) &&
        isAddressEqual(args.to, to) &&
        args.value === units,
    );
    return moved ? { from } : undefined;
  });
}

/** Coins leave no log: the transaction itself says where they went. Nothing when there is none. */
async function isCoinTransfer(
  chain: Witness,
  hash: Hash,
  { from, to, units }: ExpectedTransfer,
): Promise<boolean | undefined> {
  try {
    const client = await chain.client();
    const sent = await client.getTransaction({ hash });
    return (
      isAddressEqual(sent.from, from) &&
      sent.to !== null &&
      isAddressEqual(sent.to, to) &&
      sent.value === units
    );
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw chainFault(error);
  }
}
