import { encodeFunctionData, erc20Abi } from 'viem';
import { expect, test } from 'vitest';
import { mintTokenCall, transferCall } from '#chains/evm/contracts/port.ts';
import { createClock } from '#kernel/clock.ts';
import { run } from '#kernel/db/db.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';
import { reconcileRail } from '#kernel/reconciliation/reconcile.ts';
import { type Body, harness } from '#test/harness.ts';
import { stranger as aStranger } from '#test/strangers.ts';
import { fund, walletOn } from '#test/wallets.ts';

const h = await harness({ atMachineTime: true, config: { JWT_TTL: '1000000' } });
const { chains, keys } = h.app.evm;
const { amoy } = chains;
const operator = await h.operator();
const admin = await h.user({ role: 'admin' });
const owner = await h.user({ client_id: admin.client_id });
const NOBODY = `0x${'ab'.repeat(20)}` as const;
const rail = h.app.features.rails.find(({ name }) => name === 'chain-amoy');
if (rail === undefined) throw new Error('There is no such rail');

/**
 * In an hour, by when nothing may be late any more. Chains have the machine's time, which nobody moves: so it
 * is only the reader's clock that is ahead.
 */
async function breaks(as = operator): Promise<Body[]> {
  const clock = createClock(3_600_000);
  const signal = new AbortController().signal;
  await reconcileRail({ ...h.kernel, clock }, rail as Rail, { signal, again: true });
  const query = { state: 'OPEN', rail: 'chain-amoy' };
  const [status, { data }] = await h.call('GET /reconciliation/breaks', { as, query });
  expect(status).toBe(200);
  return data.breaks;
}
const lines = () =>
  run<{ side: string; kind: string; asset: string; units: bigint; state: string }>(
    h.db,
    `select side, kind, asset, units, state from reconciliation_lines
     where rail = 'chain-amoy' order by side, units`,
    [],
  );
const stranger = async (call: { to: `0x${string}`; data: `0x${string}` }, reference: string) => {
  const { hash } = await amoy.sender.execute({
    signer: keys.hot,
    ...call,
    reference,
    purpose: 'test',
  });
  await run(h.db, 'delete from chain_transactions where reference = $1', [reference]);
  return hash;
};

const [address] = await walletOn(h, owner, 'amoy');
const wallet_address = address?.wallet_address ?? '';
await fund(h, 'amoy', wallet_address, 'native', '5');
await fund(h, 'amoy', wallet_address, 'USDC', '9');

test('that a stranger has a platform address send nothing to somebody is no difference', async () => {
  const { address: from } = keys.treasury;
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [from, NOBODY, 0n],
  });
  const mallory = await aStranger(amoy);
  await mallory.send({ to: amoy.contracts.usdc, data });
  expect(await breaks()).toEqual([]);
  expect(await lines()).not.toContainEqual(expect.objectContaining({ units: 0n }));
});

test('what we journalled of mints, sends and burns is what the chain logged', async () => {
  const [status] = await h.call('POST /onchain/execute', {
    as: owner,
    body: {
      wallet_address,
      chain_id: 'amoy',
      token_symbol: 'USDC',
      token_contract: amoy.contracts.usdc,
      to_address: NOBODY,
      amount: '2',
    },
  });
  expect(status).toBe(201);
  await fund(h, 'amoy', NOBODY, 'IDRT', '1000');
  await h.sandbox('POST', '/chains/amoy/burn', { asset: 'USDC', from: NOBODY, amount: '1' });
  expect(await breaks()).toEqual([]);
  const found = await lines();
  expect(found.filter(({ state }) => state !== 'SETTLED')).toEqual([]);
  const ours = found.filter(({ side }) => side === 'OURS').map(({ side: _, ...line }) => line);
  const theirs = found.filter(({ side }) => side === 'THEIRS').map(({ side: _, ...line }) => line);
  expect(theirs).toEqual(ours);
  const has = (kind: string, asset: string, units: bigint) =>
    expect(ours).toContainEqual({ kind, asset, units, state: 'SETTLED' });
  has('mint', 'USDC', 9_000_000n);
  has('send', 'USDC', -2_000_000n);
  has('burn', 'USDC', -1_000_000n);
  has('mint', 'IDRT', 100_000n);
});

test('tokens that somebody else made, or sent with our key, are not in our books', async () => {
  const minted = await stranger(mintTokenCall(amoy.contracts.usdc, keys.hot.address, 7n), 'minted');
  const sent = await stranger(transferCall(amoy.contracts.usdc, NOBODY, 3n), 'sent');
  const found = await breaks();
  expect(
    found
      .map(({ reference, cause, kind, their_amount }) => [reference, cause, kind, their_amount])
      .sort(),
  ).toEqual(
    [
      [minted, 'MISSING_IN_OUR_BOOKS', 'mint', '0.000007'],
      [sent, 'MISSING_IN_OUR_BOOKS', 'send', '-0.000003'],
    ].sort(),
  );
  expect(await breaks(admin)).toEqual([]);
  await run(
    h.db,
    `update reconciliation_breaks set state = 'EXPLAINED', note = 'tested',
    explained_by = $1 where state = 'OPEN'`,
    [operator.user_id],
  );
});

test('a send that the chain does not know is a break of the client whose it is', async () => {
  const made = await run<{ hash: string }>(
    h.db,
    `update chain_transactions set hash = '0x' || repeat('cd', 32)
     where reference like 'onchain:%' returning hash`,
    [],
  );
  expect(made).toHaveLength(1);
  const found = await breaks(admin);
  expect(found).toMatchObject([
    { cause: 'MISSING_AT_PROVIDER', reference: made[0]?.hash, our_amount: '-2.000000' },
  ]);
});
