import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { money } from '#kernel/money/money.ts';
import { CARDS, card, doneBy, GOOD, refusal, testNetwork, usd } from '#test/test-network.ts';

const { called, close, db, logged, network, pulled, sandbox, settings, trace } =
  await testNetwork();
afterAll(close);
beforeEach(() => sandbox.world.faults.clear());

describe('the controls', () => {
  test('a status changes at the network, which calls back and tells it when asked', async () => {
    const amount = money('IDR', '150000.50');
    const { trace, movement } = await pulled(GOOD, amount);
    const { transactionIdentifier } = movement;
    expect(await setStatus(transactionIdentifier, 'CHARGEBACK')).toEqual([
      200,
      { transactionIdentifier, status: 'CHARGEBACK', delivered: true },
    ]);
    const timestamp = expect.stringMatching(/^\d{4}-.*Z$/);
    const body = { transactionIdentifier, status: 'CHARGEBACK', amount: 150000.5, currency: 'IDR' };
    const url = '/api/card-checkout/card/callback';
    expect(called.at(-1)).toEqual({ url, body: { ...body, timestamp } });
    const found = doneBy(await network.find(trace, transactionIdentifier));
    expect(found).toEqual({ ...movement, status: 'CHARGEBACK', money: amount, takenBack: amount });
    await setStatus(transactionIdentifier, 'FAILED');
    expect(await network.find(trace)).toMatchObject(refusal('DECLINED'));
  });

  test('everything that the network ever did can be read, page by page', async () => {
    const made: string[] = [];
    for (let n = 0; n < 105; n += 1) made.push((await pulled()).trace.rrn);
    const [, newest] = await listed('');
    expect(newest).toHaveLength(100);
    const found: string[] = [];
    const ids: string[] = [];
    for (let before = ''; ; ) {
      const [status, page] = await listed(`?limit=40${before}`);
      expect(status).toBe(200);
      found.push(...page.map(({ rrn }) => rrn));
      ids.push(...page.map(({ id }) => id));
      if (page.length < 40) break;
      before = `&before=${page.at(-1)?.id}`;
    }
    expect(found.slice(0, 105)).toEqual(made.reverse());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the list shows one kind or one transaction alone, and no page of what is not there', async () => {
    const { trace } = await pulled();
    expect((await listed(`?rrn=${trace.rrn}`))[1]).toMatchObject([{ rrn: trace.rrn }]);
    expect((await listed(`?rrn=${trace.rrn}&kind=push`))[1]).toEqual([]);
    for (const wrong of ['?limit=0', '?limit=1001', '?kind=refund', '?rnr=1'])
      expect((await listed(wrong))[0], wrong).toBe(400);
    expect((await listed('?before=408999.000000000000.000000'))[0]).toBe(404);
  });

  test('a status needs a transaction, and to be a word', async () => {
    const { movement } = await pulled();
    expect((await setStatus('1', 'COMPLETED'))[0]).toBe(404);
    for (const wrong of ['', 'completed', 7, null]) {
      expect((await setStatus(movement.transactionIdentifier, wrong))[0]).toBe(400);
    }
  });

  test('what breaks the network’s shapes is a 400 that quotes no value', async () => {
    const body = { primaryAccountNumber: GOOD, cardExpiryDate: '12/30' };
    const response = await fetch(`${settings.url()}/pav/v1/cardvalidation`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${btoa(`${settings.user}:${settings.password}`)}`,
      },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain('"3001"');
    expect(text).not.toContain('4111');
  });
});

test('no card number is in a record, a log line or an outcome', async () => {
  for (const number of CARDS) {
    const charge = { trace: trace(), card: card(number), money: usd('2.00') };
    for (const kind of ['error', 'drop', 'commit-then-drop'] as const) {
      sandbox.world.faults.arm({ provider: 'card-network', kind });
      logged.push(inspect(await network.pull(charge), { depth: 9 }));
    }
    logged.push(inspect(await network.pull(charge), { depth: 9 }));
  }
  const records = await run(db, 'select * from sandbox.records', []);
  const seen = JSON.stringify(records) + logged.join('\n');
  for (const number of CARDS) expect(seen).not.toContain(number);
  expect(seen).toContain('"last4"');
});

async function listed(query: string): Promise<[number, { id: string; rrn: string }[]]> {
  const response = await fetch(`${sandbox.url}/cards${query}`);
  return [response.status, (await response.json()) as { id: string; rrn: string }[]];
}

async function setStatus(identifier: string, status: unknown): Promise<[number, unknown]> {
  const response = await fetch(`${sandbox.url}/cards/${identifier}/status`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
  return [response.status, await response.json()];
}
