// Long: payments wait for a ledger that is too dear.

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { doneBy, testLedger } from '#test/xrpl.ts';

const { sandbox, network } = await testLedger();
doneBy(await network.prepare());
const conditions = (wish: object) => sandbox.control('POST /xrpl/conditions', wish);
beforeEach(() => conditions({}));

const issue = (reference: string) =>
  network.pay({ reference, purpose: 'test', from: 'issuer', to: 'platform', units: 7n });
const balance = async () => doneBy(await network.balance());

test.each([true, false])(
  'a fee above the most that is paid delays a payment, which happens once (queue: %s)',
  async (has_queue) => {
    const had = await balance();
    await conditions({ open_ledger_fee: 6000, has_queue });
    const reference = randomUUID();
    expect(await issue(reference)).toMatchObject({ kind: 'unknown' });
    expect(await balance()).toBe(had);
    await conditions({});
    doneBy(await issue(reference));
    expect((await balance()) - had).toBe(7n);
  },
);
