import { type Address, maxUint256 } from 'viem';
import type { Db } from '#kernel/db/db.ts';
import type { ChainAccess } from '../client.ts';
import { approveCall, type ContractCall, payOrderCall } from '../contracts/calls.ts';
import type { ContractSet } from '../contracts/deploy.ts';
import { ChainError } from '../fault.ts';
import { readAllowance } from '../reads.ts';
import type { Signer } from '../signer.ts';
import { hasFailed } from './finality.ts';
import type { ExecutedTransaction, Sender } from './sender.ts';

/** What a wallet is to pay at a payment contract, once, by its name in the journal. */
export interface OrderPayment {
  readonly signer: Signer;
  readonly contract: Address;
  readonly orderId: string;
  readonly token: Address;
  readonly units: bigint;
  readonly reference: string;
  /** What the journal says that payment and allowance are for. */
  readonly purpose: string;
  /** Throws where somebody else has the right to sign by now. */
  readonly permit: (tx: Db) => Promise<void>;
}

interface PayingChain extends ChainAccess {
  readonly contracts: ContractSet;
  readonly sender: Pick<Sender, 'find' | 'execute' | 'finish'>;
}

type Payable = Pick<OrderPayment, 'contract' | 'token' | 'orderId' | 'units'>;

/** Others may use the allowance of the same wallet up meanwhile, but hardly that often. */
const ALLOWANCES_MAX = 20;

/**
 * The contract takes from its caller only, so that the whole allowance is given, and once: exact ones of
 * payments made at the same moment would undo each other.
 */
const allowanceCall = ({ token, contract }: Payable): ContractCall =>
  approveCall(token, contract, maxUint256);

/** What `owner` would sign first, for its price, and how many calls behind it. */
export async function firstCallOf(
  chain: PayingChain,
  owner: Address,
  payable: Payable,
): Promise<{ readonly call: ContractCall; readonly laterCalls: number }> {
  if (await isAllowed(chain, owner, payable))
    return { call: callOf(chain, payable), laterCalls: 0 };
  return { call: allowanceCall(payable), laterCalls: 1 };
}

/**
 * Lets the contract take what is lacking, pays, and waits for the receipt: once, for all callers and however
 * often. Throws a ChainError as `execute` does.
 */
export async function payOrder(
  chain: PayingChain,
  payment: OrderPayment,
): Promise<ExecutedTransaction> {
  const { sender } = chain;
  const { signer, permit, purpose, reference } = payment;
  const named = { signer, permit, reference, purpose: `${purpose} payment` };
  for (let nth = 1; ; nth += 1) {
    const known = await sender.find(reference);
    if (known) return sender.finish(known);
    if (!(await isAllowed(chain, signer.address, payment))) nth = await allow(chain, payment, nth);
    try {
      return await sender.execute({ ...named, ...callOf(chain, payment) });
    } catch (error) {
      const isOver = nth >= ALLOWANCES_MAX || !isRevert(error) || (await sender.find(reference));
      if (isOver || (await isAllowed(chain, signer.address, payment))) throw error;
    }
  }
}

const isRevert = (error: unknown): boolean =>
  error instanceof ChainError && error.kind === 'reverted';

const callOf = (
  { contracts }: PayingChain,
  { contract, orderId, token, units }: Payable,
): ContractCall => payOrderCall({ ...contracts, marketplace: contract }, { orderId, token, units });

const isAllowed = async (
  chain: PayingChain,
  owner: Address,
  { token, units, contract }: Payable,
): Promise<boolean> => (await readAllowance(chain, token, { owner, spender: contract })) >= units;

/**
 * Those who pay the same at once give one allowance. One that was used up, or that lost its nonce, is
 * followed by the next; answers which it was.
 */
async function allow(chain: PayingChain, payment: OrderPayment, from: number): Promise<number> {
  const { sender } = chain;
  const { signer, permit, purpose } = payment;
  const named = { signer, permit, purpose: `${purpose} allowance`, ...allowanceCall(payment) };
  for (let nth = from; ; nth += 1) {
    const reference = `${payment.reference}:allowance:${nth}`;
    const known = await sender.find(reference);
    if (known && (known.is_final || hasFailed(known)) && nth < ALLOWANCES_MAX) continue;
    await sender.execute({ ...named, reference });
    return nth;
  }
}
