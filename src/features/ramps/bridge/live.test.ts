import { expect, test } from 'vitest';
import { bridgeBooks, bridger, cutOff, readBridge } from '#test/bridge.ts';
import { freshAddress, usdcOf, usedToday } from '#test/crosschain.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness({ mock: false });
const { treasury } = h.app.evm.keys;
const codeOf = ([status, body]: [number, Body]) => [status, body.error?.code ?? body.code];
const DAY_S = 86_400;

const act = (
  what: 'advance' | 'advance/approve',
  as: Person,
  bridge_transfer_id: string,
  body: object,
) =>
  h.call(`POST /bridge/transfers/{bridge_transfer_id}/${what}`, {
    as,
    params: { bridge_transfer_id },
    body,
  });

test('the source pays amount and fees, and every unit is booked', async () => {
  const person = await bridger(h, { usdc: '30' });
  const before = await bridgeBooks(h);
  const held = await usdcOf(h, 'amoy', treasury.address);
  const recipient_address = freshAddress();
  const made = await person.moved({ amount: '20', recipient_address });
  expect(made.status).toBe('COMPLETED');
  await h.drain();
  await h.drain();
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(10_000_000n);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(19_900_000n);
  expect(await usdcOf(h, 'amoy', treasury.address)).toBe(held);
  expect(await bridgeBooks(h)).toEqual({
    ...before,
    treasury: before.treasury - 100_000n,
    fees: before.fees + 100_000n,
  });
});

test('a source with less than the amount is refused, and one without coins fails unburnt', async () => {
  const poor = await bridger(h, { usdc: '5' });
  const [, quoted] = await poor.quote();
  expect(await poor.begin(quoted.data.quote_id)).toMatchObject([
    400,
    { error: { code: 'INSUFFICIENT_BALANCE', details: { available: '5.000000' } } },
  ]);
  const dry = await bridger(h);
  await h.sandbox('POST', '/faucet', {
    chain: 'sepolia',
    address: dry.address,
    asset: 'USDC',
    amount: '30',
  });
  const failed = await dry.moved();
  expect(failed).toMatchObject({
    status: 'FAILED',
    failure: { code: 'INSUFFICIENT_FUNDS', retryable: true },
    steps: [{ name: 'burn', state: 'FAILED' }],
  });
  expect(await usedToday(h, dry.as)).toBe(0n);
  expect(await usdcOf(h, 'sepolia', dry.address)).toBe(30_000_000n);
});

test('a burn that its request could not send is sent by its job, once', async () => {
  const person = await bridger(h, { usdc: '30' });
  const back = cutOff(h, 'sepolia');
  const recipient_address = freshAddress();
  const made = await person.moved({ recipient_address });
  expect(made).toMatchObject({ status: 'BURNING', substatus: 'in_doubt' });
  back();
  await h.advance(600);
  await h.drain();
  await h.drain();
  expect(await readBridge(h, made.bridge_transfer_id)).toMatchObject({ status: 'COMPLETED' });
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(5_000_000n);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(24_900_000n);
});

test('a far side that is away for days keeps what is owed, and it arrives afterwards', async () => {
  const person = await bridger(h, { usdc: '30' });
  const back = cutOff(h, 'amoy');
  const recipient_address = freshAddress();
  const made = await person.moved({ recipient_address });
  expect(made.status).toBe('MINTING');
  expect((await bridgeBooks(h)).owed).toBe(24_900_000n);
  await h.advance(2 * DAY_S);
  await h.drain();
  const stalled = await readBridge(h, made.bridge_transfer_id);
  expect(stalled).toMatchObject({ status: 'STALLED', delay_reason: expect.any(String) });
  back();
  await h.advance(3600);
  await h.drain();
  await h.drain();
  expect(await readBridge(h, made.bridge_transfer_id)).toMatchObject({ status: 'COMPLETED' });
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(24_900_000n);
  expect((await bridgeBooks(h)).owed).toBe(0n);
});

test('two operators pay the source ahead, and a late mint is the platform’s', async () => {
  const person = await bridger(h, { usdc: '30' });
  const back = cutOff(h, 'amoy');
  const recipient_address = freshAddress();
  const { bridge_transfer_id: id } = await person.moved({ recipient_address });
  expect(codeOf(await act('advance', await h.operator(), id, { reason: 'Away' }))).toEqual([
    409,
    'INVALID_STATUS',
  ]);
  await h.advance(2 * DAY_S);
  await h.drain();
  const [ada, ben] = [await h.operator(), await h.operator()];
  const version = (await readBridge(h, id)).version;
  expect(codeOf(await act('advance/approve', ben, id, { version }))).toEqual([
    409,
    'INVALID_STATUS',
  ]);
  const [, proposed] = await act('advance', ada, id, { reason: 'The far chain is away' });
  expect(proposed.data).toMatchObject({ status: 'STALLED', advance: { proposed_by: ada.user_id } });
  const approval = { version: proposed.data.version };
  expect(codeOf(await act('advance/approve', ada, id, approval))).toEqual([
    403,
    'SECOND_PERSON_REQUIRED',
  ]);
  expect(codeOf(await act('advance/approve', ben, id, { version }))).toEqual([
    409,
    'VERSION_CONFLICT',
  ]);
  const books = await bridgeBooks(h);
  await h.sandbox('POST', '/faucet', {
    chain: 'sepolia',
    address: treasury.address,
    asset: 'USDC',
    amount: '50',
  });
  const source = await usdcOf(h, 'sepolia', person.address);
  expect((await act('advance/approve', ben, id, approval))[1].data.status).toBe('ADVANCED');
  await h.drain();
  expect(await usdcOf(h, 'sepolia', person.address)).toBe(source + 24_900_000n);
  const held = await usdcOf(h, 'amoy', treasury.address);

  back();
  await h.advance(3600);
  await h.drain();
  await h.drain();
  const ended = await readBridge(h, id);
  expect(ended.status).toBe('ADVANCED');
  expect(ended.steps.map(({ name, state }: Body) => [name, state])).toEqual([
    ['burn', 'DONE'],
    ['attest', 'DONE'],
    ['mint', 'DONE'],
    ['advance', 'DONE'],
  ]);
  expect(await usdcOf(h, 'amoy', treasury.address)).toBe(held + 24_900_000n);
  expect(await usdcOf(h, 'amoy', recipient_address)).toBe(0n);
  const after = await bridgeBooks(h);
  expect([after.owed, after.transit]).toEqual([0n, 0n]);
  expect(after.treasury).toBe(books.treasury);
});
