import { expect, test } from 'vitest';
import { CIRCULATION } from '#chains/cardano/port.ts';
import { balanceByName, houseAccount } from '#kernel/ledger/accounts.ts';
import { bridgeBooks, bridger, cutOff, doneOf, readBridge } from '#test/bridge.ts';
import { ELSEWHERE } from '#test/cardano.ts';
import { usdcOf, usedToday } from '#test/crosschain.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false });
const { cardano } = h.app.providers;
const { treasury } = h.app.evm.keys;
const unit = (text: string) => BigInt(text.replace('.', ''));
const DAY_S = 86_400;

/** Tokens there are, less what the books have of them. */
const unbooked = async () =>
  doneOf(await cardano.supply()) -
  (await balanceByName(h.db, houseAccount(CIRCULATION, 'USDC'))).posted;
const cardanoOf = async () => doneOf(await cardano.holdings(ELSEWHERE)).usdc;

test('what goes to Cardano is locked here and minted there, unit for unit', async () => {
  const person = await bridger(h, { usdc: '30' });
  const before = await bridgeBooks(h);
  const [held, there] = [await usdcOf(h, 'sepolia', treasury.address), await cardanoOf()];
  const made = await person.moved({ to_chain: 'cardano', recipient_address: ELSEWHERE });
  expect(made.status).toBe('COMPLETED');
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(5_000_000n);
  expect(await usdcOf(h, 'sepolia', treasury.address)).toBe(held + 25_000_000n);
  expect(await cardanoOf()).toBe(there + unit(made.received));
  expect(await bridgeBooks(h)).toEqual({
    ...before,
    treasury: before.treasury - 25_000_000n,
    fees: before.fees + unit(made.fees),
  });
  expect(await unbooked()).toBe(0n);
});

test('a source that cannot pay its gas fails untouched, and its limits are free again', async () => {
  const dry = await bridger(h);
  const asset = 'USDC';
  await h.sandbox('POST', '/faucet', {
    chain: 'sepolia',
    address: dry.address,
    asset,
    amount: '30',
  });
  const failed = await dry.moved({ to_chain: 'cardano', recipient_address: ELSEWHERE });
  expect(failed).toMatchObject({
    status: 'FAILED',
    failure: { code: 'INSUFFICIENT_FUNDS', retryable: true },
    steps: [{ name: 'burn', state: 'FAILED' }],
  });
  expect(await usdcOf(h, 'sepolia', dry.address)).toBe(30_000_000n);
  expect(await usedToday(h, dry.as)).toBe(0n);
});

test('a near side that is away keeps the amount at its source, and it is taken once', async () => {
  const person = await bridger(h, { usdc: '30' });
  const back = cutOff(h, 'sepolia');
  const there = await cardanoOf();
  const made = await person.moved({ to_chain: 'cardano', recipient_address: ELSEWHERE });
  expect(made).toMatchObject({ status: 'BURNING', substatus: 'in_doubt' });
  back();
  await h.advance(600);
  await h.drain();
  await h.drain();
  expect((await readBridge(h, made.bridge_transfer_id)).status).toBe('COMPLETED');
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(5_000_000n);
  expect(await cardanoOf()).toBe(there + unit(made.received));
});

test('two operators pay the source ahead where Cardano stays away, and the late mint is kept', async () => {
  const person = await bridger(h, { usdc: '30' });
  const fault = { provider: 'cardano', kind: 'maintenance', times: 1000 };
  await h.sandbox('POST', '/faults', fault);
  const { bridge_transfer_id, ...made } = await person.moved({
    to_chain: 'cardano',
    recipient_address: ELSEWHERE,
  });
  expect(made.status).toBe('MINTING');
  await h.advance(2 * DAY_S);
  await h.drain();
  const [ada, ben] = [await h.operator(), await h.operator()];
  const params = { bridge_transfer_id };
  const act = (what: 'advance' | 'advance/approve', as: Person, body: object) =>
    h.call(`POST /bridge/transfers/{bridge_transfer_id}/${what}`, { as, params, body });
  const [, proposed] = await act('advance', ada, { reason: 'Cardano is away' });
  const { version, delay_reason } = proposed.data;
  expect(delay_reason).toContain('Cardano');
  expect((await act('advance/approve', ben, { version }))[1].data.status).toBe('ADVANCED');
  await h.drain();
  const paid = await usdcOf(h, 'sepolia', person.address);
  expect(paid).toBe(5_000_000n + unit(made.received));
  await h.sandbox('DELETE', '/faults');
  const there = await cardanoOf();
  await h.advance(3600);
  await h.drain();
  const ended = await readBridge(h, bridge_transfer_id);
  expect(ended.status).toBe('ADVANCED');
  expect(ended.steps.map(({ name, state }: Body) => [name, state])).toContainEqual([
    'mint',
    'DONE',
  ]);
  expect(await cardanoOf()).toBe(there);
  expect(await unbooked()).toBe(0n);
  expect((await bridgeBooks(h)).owed).toBe(0n);
});
