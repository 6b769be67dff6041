import { expect, test } from 'vitest';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { banking, codeOf, type Holder } from './banking.ts';
import { type Body, harness } from './harness.ts';

/** What callers keep beside the things that they have made, at each address for it. */
const h = await harness();
const { client_id } = await h.client();
const { holder, send, post } = banking(h);
const [ada, ben] = [await holder(client_id, '100.00'), await holder(client_id)];
const admin = await h.user({ role: 'admin', client_id });
const stranger = await h.user({ role: 'admin', client_id: (await h.client()).client_id });

const made = ([status, { data }]: [number, Body]): Body => {
  expect(status).toBe(201);
  return data;
};

/** A thing of each kind, by the address of its metadata. */
const THINGS: Record<RouteId, () => Promise<Record<string, string | number>>> = {
  'PATCH /recipients/{recipient_id}/metadata': async () => {
    const body = { name: 'Ben', kind: 'wallet', details: { wallet_id: ben.wallet_id } };
    const { recipient_id } = made(await h.call('POST /recipients', { as: ada, body }));
    return { recipient_id };
  },
  'PATCH /wallets/fiat/transfers/{transfer_id}/metadata': async () => {
    const to = { wallet_id: ben.wallet_id };
    const { transfer_id } = made(await send(ada, { to, amount: '1.00' }));
    return { transfer_id };
  },
  'PATCH /wallets/fiat/holds/{hold_id}/metadata': async () => {
    const { hold_id } = made(
      await post('POST /wallets/fiat/{wallet_id}/holds', ada, {
        params: { wallet_id: ada.wallet_id },
        body: { to: { wallet_id: ben.wallet_id }, amount: '2.00' },
      }),
    );
    return { hold_id };
  },
  'PATCH /wallets/fiat/requests/{request_id}/metadata': async () => {
    const body = { to: { user_id: ben.user_id }, wallet_id: ada.wallet_id, amount: '3.00' };
    const { request_id } = made(await h.call('POST /wallets/fiat/requests', { as: ada, body }));
    return { request_id };
  },
};

test.each(Object.entries(THINGS) as [RouteId, () => Promise<Record<string, string | number>>][])(
  '%s changes it for the maker and an admin, and for no other person',
  async (id, make) => {
    const params = await make();
    const patch = (as: Holder | typeof admin, body: object): Promise<[number, Body]> =>
      h.call(id, { as, params, body });
    const [status, { data }] = await patch(ada, { metadata: { order: '7', draft: 'x' } });
    expect([status, data.metadata]).toEqual([200, { order: '7', draft: 'x' }]);
    const [, changed] = await patch(admin, { metadata: { draft: null }, version: 2 });
    expect(changed.data.metadata).toEqual({ order: '7' });
    const late = await patch(ada, { metadata: { order: '8' }, version: 2 });
    expect(codeOf(late)).toEqual([409, 'VERSION_CONFLICT']);
    // The other side of a payment sees it; a recipient is its maker's alone.
    expect([403, 404]).toContain((await patch(ben, { metadata: { order: '9' } }))[0]);
    expect((await patch(stranger, { metadata: { order: '9' } }))[0]).toBe(404);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v']));
    expect(codeOf(await patch(ada, { metadata: many }))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await patch(ada, { metadata: {} }))[1].data.metadata).toEqual({ order: '7' });
  },
);
