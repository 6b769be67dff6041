import { afterAll, expect, it } from 'vitest';
import { testNetwork } from '#test/evm.ts';
import { mintTokenCall } from './calls.ts';
import { testUSDC } from './contracts.generated.ts';
import { searchLogs } from './search.ts';

const { network, close } = await testNetwork();
afterAll(close);
const { amoy } = network.chains;
const { hot } = network.keys;

const mint = async (units: bigint) =>
  (
    await amoy.sender.execute({
      signer: hot,
      ...mintTokenCall(amoy.contracts.usdc, hot.address, units),
      reference: `search:${units}`,
      purpose: 'test',
    })
  ).hash;

const event = testUSDC.abi.find((entry) => entry.type === 'event' && entry.name === 'Transfer');
if (event?.type !== 'event') throw new Error('No such event');

it('An event is found however many blocks and questions lie between it and now', async () => {
  const first = await mint(1n);
  for (let units = 2n; units < 12n; units += 1n) await mint(units);
  const client = await amoy.client();
  const { blockNumber } = await client.getTransactionReceipt({ hash: first });
  const asked: bigint[] = [];
  const search = (since: Date, step: bigint) =>
    searchLogs(amoy, { address: amoy.contracts.usdc, event, since, step }, (logs) => {
      asked.push(BigInt(logs.length));
      return logs.find(({ blockNumber: at }) => at === blockNumber)?.transactionHash ?? undefined;
    });
  expect(await search(new Date(0), 3n)).toBe(first);
  expect(asked.length).toBeGreaterThan(2);
  expect(await search(new Date(0), 1_000_000n)).toBe(first);
  // Nothing older than asked for is looked at, but for what shares a question with it.
  expect(await search(new Date(Date.now() + 3_600_000), 3n)).toBeUndefined();
});

it('A node that refuses a wide question is asked narrower ones', async () => {
  const hash = await mint(100n);
  const client = await amoy.client();
  const narrow = Object.assign(Object.create(client), {
    getLogs: async (filter: { fromBlock: bigint; toBlock: bigint }) => {
      if (filter.toBlock - filter.fromBlock >= 2n)
        throw new Error('query exceeds max block range 2');
      return client.getLogs(filter as never);
    },
  });
  const chain = { client: async () => narrow };
  const found = await searchLogs(
    chain,
    { address: amoy.contracts.usdc, event, since: new Date(0), step: 16n },
    (logs) => logs.find(({ transactionHash }) => transactionHash === hash)?.transactionHash,
  );
  expect(found).toBe(hash);
});
