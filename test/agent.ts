import { randomBytes } from 'node:crypto';
import { type Address, getAddress } from 'viem';
import { type EvmChain, readBalances } from '#chains/evm/port.ts';
import type { Body, Harness, Person } from './harness.ts';
import { fund, walletOn } from './wallets.ts';

/** Sends a user's message to the agent; answers the status and the body. */
export const talking =
  (h: Harness) =>
  async (as: Person, user_input: string, context?: object): Promise<[number, Body]> => {
    const [status, body] = await h.call('POST /agent/wallets/process', {
      as,
      body: { user_input, user_id: as.user_id, ...(context && { context }) },
    });
    return [status, body.agent_response ?? body];
  };

/** A user with a wallet on amoy that has coins and 20 USDC. */
export const wealthy = (h: Harness) => async (): Promise<Person> => {
  const as = await h.user();
  const [place] = await walletOn(h, as, 'amoy');
  const { wallet_address = '' } = place ?? {};
  await fund(h, 'amoy', wallet_address, 'native', '3');
  await fund(h, 'amoy', wallet_address, 'USDC', '20');
  return as;
};

/** Unused addresses, and the USDC they have received since. */
export function payees(h: Harness) {
  const { amoy } = h.app.evm.chains;
  return {
    fresh: (): Address => getAddress(`0x${randomBytes(20).toString('hex')}`),
    async received(address: Address, chain: EvmChain = amoy): Promise<bigint | undefined> {
      const { tokens } = await readBalances(chain, address, [chain.contracts.usdc]);
      return tokens[0];
    },
  };
}

/** Sets the next answers of the sandbox's model, for any question: a compromised model. */
export const turned = (h: Harness, proposal: object | string, times = 1) =>
  h.sandbox('POST', '/llm/answers', {
    task: 'wallet-intent',
    content: typeof proposal === 'string' ? proposal : JSON.stringify(proposal),
    times,
  });
