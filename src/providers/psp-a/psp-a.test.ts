import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { startSandbox } from '#sandbox/host.ts';
import { pspASimulator } from '#sandbox/providers/psp-a/simulator.ts';
import { testDatabase } from '#test/database.ts';
import { failInserts } from '#test/sandbox.ts';
import type { Outcome } from '../../kernel/provider-call.ts';
import { pspA } from './adapter.ts';
import { createRequest } from './wire.ts';

const KEY = 'key-of-a-test';
const database = await testDatabase();
const { db, close } = openDatabase(database.url, { max: 5 });
const clock = createClock();
const sandbox = await startSandbox({
  db,
  clock,
  log: pino({ level: 'silent' }),
  host: '127.0.0.1',
  port: 0,
  simulators: [pspASimulator({ PSP_A_KEY: KEY })],
  serviceUrl: () => '',
  advance: async (seconds) => clock.advance(seconds * 1000),
});
afterAll(async () => {
  await sandbox.close();
  await close();
  await database.close();
});
beforeEach(() => sandbox.world.faults.clear());

const settings = { url: () => `${sandbox.url}/psp-a`, key: KEY };
const psp = pspA(settings);

let references = 0;
const person = () => {
  references += 1;
  return {
    reference: `user-${references}`,
    type: 'INDIVIDUAL' as const,
    name: 'Siti Nur Haliza',
    email: 'siti@example.test',
    phone: '+62 812-3456-7890',
  };
};

function doneBy<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw new Error(`Expected done, not ${inspect(outcome)}`);
  return outcome.value;
}

const customersOf = (reference: string) =>
  run(
    db,
    `select data from sandbox.records where provider = 'psp-a' and kind = 'customer' and id = $1`,
    [reference],
  );

describe('customers', () => {
  test('a person and a company are created and found by our reference', async () => {
    const company = { ...person(), type: 'BUSINESS' as const, name: 'PT Maju Jaya' };
    for (const customer of [person(), company]) {
      const created = doneBy(await psp.createCustomer(customer));
      expect(created).toEqual({
        id: expect.stringMatching(/^cust-/),
        reference: customer.reference,
        type: customer.type,
      });
      expect(doneBy(await psp.findCustomer(customer.reference))).toEqual(created);
    }
  });

  test('one that was not created is not found', async () => {
    expect(await psp.findCustomer('nobody')).toEqual({ kind: 'done', value: undefined });
  });

  test('created many times at once are one', async () => {
    const customer = person();
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => psp.createCustomer(customer)));
    expect(new Set(outcomes.map((outcome) => doneBy(outcome).id)).size).toBe(1);
    expect(await customersOf(customer.reference)).toHaveLength(1);
  });

  test('created by another call under the same reference are that customer', async () => {
    const customer = person();
    const body = createRequest(customer);
    const [status, first] = await ask('POST', '/customers', body, { 'idempotency-key': 'other' });
    expect(status).toBe(200);
    expect(doneBy(await psp.createCustomer(customer)).id).toBe((first as { id: string }).id);
  });

  test('keep the reported result of a verification', async () => {
    const { id, reference } = doneBy(await psp.createCustomer(person()));
    const updated = doneBy(await psp.updateCustomer(id, { kycStatus: 'APPROVED' }));
    expect(updated).toMatchObject({ id, kycStatus: 'APPROVED' });
    expect(doneBy(await psp.findCustomer(reference))).toEqual(updated);
    expect(await psp.updateCustomer('cust-none', { kycStatus: 'APPROVED' })).toMatchObject({
      kind: 'refused',
      code: 'CUSTOMER_NOT_FOUND_ERROR',
      status: 404,
    });
  });

  test.each([
    ['Sukarno', { given_names: 'Sukarno' }],
    [' Siti  Nur Haliza ', { given_names: 'Siti Nur', surname: 'Haliza' }],
  ])('the name %s is split as %o', (name, individual_detail) => {
    expect(createRequest({ ...person(), name })).toMatchObject({ individual_detail });
  });

  test('have a phone number only in its international form', () => {
    expect(createRequest(person())).toMatchObject({ mobile_number: '+6281234567890' });
    expect(createRequest({ ...person(), phone: '0812 345 678' })).not.toHaveProperty(
      'mobile_number',
    );
  });
});

describe('when the provider misbehaves', () => {
  const arm = (kind: 'refuse' | 'drop' | 'commit-then-drop' | 'error', times = 1) =>
    sandbox.world.faults.arm({ provider: 'psp-a', kind, times });

  test('a creation with a lost answer is looked up', async () => {
    const customer = person();
    arm('commit-then-drop');
    const created = doneBy(await psp.createCustomer(customer));
    expect(doneBy(await psp.createCustomer(customer))).toEqual(created);
    expect(await customersOf(customer.reference)).toHaveLength(1);
  });

  test('a lost creation is found although the person’s data have changed since', async () => {
    const customer = person();
    arm('commit-then-drop', 2);
    expect(await psp.createCustomer(customer)).toMatchObject({ kind: 'unknown' });
    const renamed = { ...customer, name: 'Siti Aminah', email: 'aminah@example.test' };
    expect(doneBy(await psp.createCustomer(renamed)).reference).toBe(customer.reference);
    expect(await customersOf(customer.reference)).toHaveLength(1);
  });

  test.each(['refuse', 'drop', 'error'] as const)(
    'after %s it is unknown whether there is a customer, and trying again makes one',
    async (kind) => {
      const customer = person();
      arm(kind);
      expect(await psp.createCustomer(customer)).toMatchObject({ kind: 'unknown' });
      expect(doneBy(await psp.createCustomer(customer)).reference).toBe(customer.reference);
      expect(await customersOf(customer.reference)).toHaveLength(1);
    },
  );

  test('a failed look-up never answers none', async () => {
    const { reference } = doneBy(await psp.createCustomer(person()));
    for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error'] as const) {
      arm(kind);
      expect(await psp.findCustomer(reference)).toMatchObject({ kind: 'unknown' });
    }
  });

  test('a slow answer leaves an update unknown', async () => {
    const { id } = doneBy(await psp.createCustomer(person()));
    sandbox.world.faults.arm({ provider: 'psp-a', kind: 'delay', ms: 400 });
    const hasty = pspA({ ...settings, timeoutMs: 50 });
    expect(await hasty.updateCustomer(id, { kycStatus: 'REJECTED' })).toMatchObject({
      kind: 'unknown',
    });
  });

  test('a missing provider, and a wrong key, are refusals', async () => {
    for (const url of ['http://127.0.0.1:1', '']) {
      const nowhere = pspA({ ...settings, url: () => url });
      expect(await nowhere.createCustomer(person())).toMatchObject({ code: 'UNREACHABLE' });
    }
    const stranger = pspA({ ...settings, key: 'guess' });
    const refusal = { kind: 'refused', code: 'INVALID_API_KEY', status: 401 };
    expect(await stranger.createCustomer(person())).toMatchObject(refusal);
    expect(await stranger.findCustomer('user-1')).toMatchObject(refusal);
  });
});

describe('the simulator', () => {
  test('refuses malformed requests in the provider’s own words', async () => {
    const good = createRequest(person());
    const wrong = [
      {},
      [],
      { ...good, type: 'ROBOT' },
      { ...good, individual_detail: {} },
      { ...good, mobile_number: '0812' },
      { ...good, reference_id: '' },
    ];
    for (const body of wrong) {
      expect(await ask('POST', '/customers', body)).toEqual([
        400,
        { error_code: 'API_VALIDATION_ERROR', message: expect.any(String) },
      ]);
    }
    expect(await ask('GET', '/customers')).toMatchObject([400, {}]);
    expect(await ask('GET', '/customers/cust-none')).toMatchObject([404, {}]);
  });

  test('answers an idempotency key once, and refuses it for another request', async () => {
    const headers = { 'idempotency-key': 'same-key' };
    const body = createRequest(person());
    const first = await ask('POST', '/customers', body, headers);
    expect(await ask('POST', '/customers', body, headers)).toEqual(first);
    expect(await ask('POST', '/customers', createRequest(person()), headers)).toMatchObject([
      409,
      { error_code: 'IDEMPOTENCY_ERROR' },
    ]);
    expect(await ask('POST', '/customers', body)).toMatchObject([
      409,
      { error_code: 'DUPLICATE_ERROR' },
    ]);
  });
});

test('does not count a key whose request was cut short', async () => {
  const headers = { 'idempotency-key': 'cut-short' };
  const restore = await failInserts(db, 'psp-a', 'customer');
  expect(await ask('POST', '/customers', createRequest(person()), headers)).toMatchObject([
    500,
    {},
  ]);
  await restore();
  expect(await ask('POST', '/customers', createRequest(person()), headers)).toMatchObject([
    200,
    {},
  ]);
});

async function ask(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<[number, unknown]> {
  const response = await fetch(`${settings.url()}${path}`, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${settings.key}:`)}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return [response.status, await response.json()];
}
