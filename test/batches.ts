import type { HostCurrency } from '#providers/bank-host/port.ts';
import type { Body, Harness, Person } from './harness.ts';
import { addBankRecipient, fundWallet, withdrawer } from './withdrawals.ts';

type Fiat = HostCurrency | 'IDR';
type Answer = Promise<[number, Body]>;

/** The owner of a wallet with money, a recipient at a bank, and two admins of the same client. */
export async function batchMaker(h: Harness, currency: Fiat, units: bigint, given?: Person) {
  const owner = await withdrawer(h, currency, units, given);
  const { as, wallet_id } = owner;
  const { client_id } = as;
  const [ada, ben] = [
    await h.user({ role: 'admin', client_id }),
    await h.user({ role: 'admin', client_id }),
  ];
  const act = (verb: string, batch_id: string, by: Person = as, body?: object) =>
    h.call(`POST /batches/{batch_id}/${verb}`, {
      as: by,
      params: { batch_id },
      headers: { 'idempotency-key': crypto.randomUUID() },
      ...(body && { body }),
    }) as Answer;
  const read = async (batch_id: string, by: Person = as): Promise<Body> =>
    (await h.call('GET /batches/{batch_id}', { as: by, params: { batch_id } }))[1].data;
  const maker = {
    ...owner,
    ada,
    ben,
    act,
    read,
    draft: (items: readonly object[], more: object = {}, by: Person = as) =>
      h.call('POST /batches', {
        as: by,
        body: { name: 'Salaries', source_wallet_id: wallet_id, items, ...more },
      }) as Answer,
    /** Lines to the one recipient. */
    lines: (...amounts: string[]) =>
      amounts.map((amount) => ({ recipient_id: owner.recipient_id, amount })),
    submit: ({ batch_id, version, content_hash }: Body, by: Person = as) =>
      act('submit', batch_id, by, { version, content_hash }),
    approve: ({ batch_id, version, content_hash }: Body, by: Person = ada) =>
      act('approve', batch_id, by, { version, content_hash }),
    reject: ({ batch_id, version, content_hash }: Body, by: Person = ada) =>
      act('reject', batch_id, by, { version, content_hash }),
    items: async (batch_id: string, query: Record<string, string> = {}): Promise<Body[]> =>
      (
        await h.call('GET /batches/{batch_id}/items', {
          as,
          params: { batch_id },
          query: { limit: '100', ...query },
        })
      )[1].data.items,
    /** Drafted, submitted and approved; answers its id. */
    async approved(items: readonly object[], more: object = {}): Promise<string> {
      const [, { data: draft }] = await maker.draft(items, more);
      const [, { data: submitted }] = await maker.submit(draft);
      const [status, answer] = await maker.approve(submitted);
      if (status !== 200) throw new Error(JSON.stringify(answer));
      return answer.data.batch_id;
    },
    /** A wallet of another person of the client. */
    async otherWallet(): Promise<{ person: Person; wallet_id: number }> {
      const person = await h.user({ client_id });
      const [, { data }] = await h.call('POST /wallets/fiat', { as: person, body: { currency } });
      return { person, wallet_id: data.wallet_id };
    },
    fund: (more: bigint) => fundWallet(h, as, currency, more),
    addRecipient: () => addBankRecipient(h, as, currency),
  };
  return maker;
}
