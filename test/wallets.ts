import { randomUUID } from 'node:crypto';
import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import { holdSpending } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { money } from '#kernel/money/money.ts';
import type { Harness, Person } from './harness.ts';

export interface TestAddress {
  readonly bw_id: number;
  readonly wallet_address: string;
}

/** A wallet of that user with an address on each of the chains, all made through the API. */
export async function walletOn(
  h: Harness,
  as: Person,
  ...chains: ChainKey[]
): Promise<TestAddress[]> {
  const [first] = chains;
  const body = { user_id: as.user_id, wallet_name: 'Test wallet', chain_id: first };
  const [, { data }] = await h.call('POST /manual/wallets/crypto', { as, body });
  const { bw_id } = data;
  const made: TestAddress[] = [];
  for (const chain_id of chains) {
    const path = 'POST /manual/wallets/crypto/{bw_id}/address';
    const [, answer] = await h.call(path, { as, params: { bw_id }, body: { chain_id } });
    made.push({ bw_id, wallet_address: answer.data.wallet_address });
  }
  return made;
}

/** Test coins from the sandbox's faucet. */
export const fund = (
  h: Harness,
  chain: ChainKey,
  address: string,
  asset: 'native' | 'USDC' | 'IDRT',
  amount: string,
) => h.sandbox('POST', '/faucet', { chain, address, asset, amount });

/** Holds USDC of a managed wallet, as a payment in flight does. */
export async function setAside(
  h: Harness,
  { chain_id, wallet_address }: { readonly chain_id: ChainKey; readonly wallet_address: string },
  amount: string,
): Promise<void> {
  const chain = h.app.evm.chains[chain_id];
  const { units } = money('USDC', amount);
  const token_contract = chain.contracts.usdc;
  const held = await holdSpending(
    { db: h.db, chain, address: wallet_address as Address },
    [{ reference: `set-aside:${randomUUID()}`, token_contract, units, gas: 0n }],
    async () => true,
  );
  if (typeof held === 'string' || !('held' in held)) throw new Error('It is not set aside');
}

/** The open holds of a wallet. */
export const heldOf = (h: Harness, wallet_address: string) =>
  h.db
    .selectFrom('wallet_holds')
    .select('reference')
    .where('wallet_address', '=', wallet_address)
    .where('released_at', 'is', null)
    .execute();
