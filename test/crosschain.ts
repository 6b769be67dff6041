import { randomUUID } from 'node:crypto';
import { type Address, getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ContractCall } from '#chains/evm/contracts/port.ts';
import { type ChainKey, keySigner, readBalances, readSupply } from '#chains/evm/port.ts';
import { DAY_POLICY } from '#features/chain-wallets/crosschain/day-limit.ts';
import type { Body, CallOptions, Harness, Person } from './harness.ts';

type Answer = Promise<[number, Body]>;
type More = Omit<CallOptions, 'as' | 'body'>;

export const freshAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address;
export const someHash = (): `0x${string}` => generatePrivateKey();

/** A person's actions with cross-chain transfers, and the chains; for tests. */
export function mover(h: Harness, as: Person) {
  const post = (path: string, body: object, more: More = {}): Answer =>
    h.call(`POST /crosschain/${path}`, { as, body, ...more });
  const initiate = (over: object = {}): Answer =>
    post('initiate', {
      user_id: as.user_id,
      amount: '10.00',
      from_chain: 'sepolia',
      to_chain: 'amoy',
      token: 'USDC',
      recipient_address: freshAddress(),
      ...over,
    });
  return {
    as,
    post,
    initiate,
    async begun(over: object = {}): Promise<Body> {
      const [status, body] = await initiate(over);
      if (status !== 200) throw new Error(`Not initiated: ${JSON.stringify(body)}`);
      return body.data;
    },
    burn: (log: Body, over: object = {}, more: More = {}): Answer =>
      post('burn', { log_id: log.log_id, nonce: log.nonce, ...over }, more),
    burnWith: (log: Body, private_key: string, more: More = {}): Answer =>
      post('burn-frontend', { log_id: log.log_id, nonce: log.nonce, private_key }, more),
    mint: (log: Body): Answer => post('mint', { nonce: log.nonce }),
    confirm: (log: Body, status: string, tx_hash: string): Answer =>
      h.call('PATCH /crosschain/confirm', { as, body: { log_id: log.log_id, status, tx_hash } }),
    details: (log: Body): Answer =>
      h.call('GET /crosschain/details/{log_id}', { as, params: { log_id: log.log_id } }),
    history: (query: Record<string, string | number> = {}, user_id = as.user_id): Answer =>
      h.call('GET /crosschain/history/{user_id}', { as, params: { user_id }, query }),
  };
}
export type Mover = ReturnType<typeof mover>;

/** Units of USDC. */
export async function usdcOf(h: Harness, chain: ChainKey, owner: string): Promise<bigint> {
  const on = h.app.evm.chains[chain];
  const { tokens } = await readBalances(on, getAddress(owner), [on.contracts.usdc]);
  return tokens[0] ?? 0n;
}

/** Units of USDC that exist on a chain. */
export async function supplyOn(h: Harness, chain: ChainKey): Promise<bigint> {
  const on = h.app.evm.chains[chain];
  return readSupply(on, on.contracts.usdc);
}

/** The used part of the day's limit, in units. */
export async function usedToday(h: Harness, { user_id }: Person): Promise<bigint> {
  const row = await h.db
    .selectFrom('policy_sums')
    .select('amount')
    .where('tally', '=', `policy:${DAY_POLICY}`)
    .where('subject', '=', `user:${user_id}`)
    .executeTakeFirst();
  return row?.amount ?? 0n;
}

/** A wallet outside the service, which signs for itself. */
export function outsideWallet(h: Harness, key = generatePrivateKey()) {
  const signer = keySigner(key);
  return {
    key,
    address: signer.address,
    /** Sends calls in order and answers the hash of the last one. Throws when one is undone. */
    async send(chain: ChainKey, calls: readonly ContractCall[]): Promise<`0x${string}`> {
      let hash: `0x${string}` = '0x';
      for (const call of calls) {
        const reference = `outside:${randomUUID()}`;
        const { sender } = h.app.evm.chains[chain];
        hash = (await sender.execute({ signer, ...call, reference, purpose: 'outside' })).hash;
      }
      return hash;
    },
  };
}
