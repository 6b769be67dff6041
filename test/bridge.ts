import { ChainError, type ChainKey } from '#chains/evm/port.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import { balanceByName, houseAccount } from '#kernel/ledger/accounts.ts';
import { freshAddress } from './crosschain.ts';
import type { Body, Harness, Person } from './harness.ts';
import { fund, walletOn } from './wallets.ts';

/** Somebody with a managed wallet, and what they do over the bridge. */
export async function bridger(
  h: Harness,
  { from = 'sepolia', usdc = '0', as }: { from?: ChainKey; usdc?: string; as?: Person } = {},
) {
  const who = as ?? (await h.user());
  const [wallet] = await walletOn(h, who, from);
  const address = wallet?.wallet_address ?? '';
  if (usdc !== '0') {
    await fund(h, from, address, 'native', '1');
    await fund(h, from, address, 'USDC', usdc);
  }
  const quote = (over: object = {}): Promise<[number, Body]> =>
    h.call('POST /bridge/quotes', {
      as: who,
      body: {
        from_chain: from,
        to_chain: from === 'amoy' ? 'neon' : 'amoy',
        amount: '25.00',
        recipient_address: freshAddress(),
        ...over,
      },
    });
  const begin = (quote_id: string, more: object = {}): Promise<[number, Body]> =>
    h.call('POST /bridge/transfers', {
      as: who,
      body: { quote_id, source: { address } },
      headers: { 'idempotency-key': quote_id },
      ...more,
    });
  return {
    as: who,
    address,
    quote,
    begin,
    /** By a quote of its own; answers the transfer. */
    async moved(over: object = {}): Promise<Body> {
      const [, quoted] = await quote(over);
      const [status, body] = await begin(quoted.data.quote_id);
      if (status !== 201) throw new Error(`Not begun: ${JSON.stringify(body)}`);
      return body.data;
    },
  };
}

/** As an operator reads it, whose log-in is new at every time. */
export async function readBridge(h: Harness, bridge_transfer_id: string): Promise<Body> {
  const path = 'GET /bridge/transfers/{bridge_transfer_id}';
  const as = await h.operator();
  const [, { data }] = await h.call(path, { as, params: { bridge_transfer_id } });
  return data;
}

/** Nothing can be sent on a chain until the answer is called. */
export function cutOff(h: Harness, chain: ChainKey): () => void {
  const on = h.app.evm.chains[chain];
  const { sender } = on;
  const gone = () => Promise.reject(new ChainError('unreachable', 'gone'));
  Object.assign(on, { sender: { ...sender, send: gone, execute: gone } });
  return () => void Object.assign(on, { sender });
}

/** What is posted on the accounts of the bridge, in units of USDC. */
export async function bridgeBooks(h: Harness) {
  const posted = async (name: string) =>
    (await balanceByName(h.db, houseAccount(`bridge-${name}`, 'USDC'))).posted;
  return {
    transit: await posted('transit'),
    treasury: await posted('treasury'),
    owed: await posted('owed'),
    fees: await posted('fees'),
  };
}

/** The value of a certain answer; any other fails the test. */
export function doneOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  throw new Error(`Not done: ${JSON.stringify(outcome)}`);
}
