import { Buffer } from 'node:buffer';
import { digestOf } from '#kernel/secrets/token.ts';
import { callHttp, type Outcome, unknown } from '../../kernel/provider-call.ts';
import type { PspA, PspCustomer } from './port.ts';
import { createRequest, customerOutcome, foundOutcome, PSP_A_DUPLICATE } from './wire.ts';

export interface PspASettings {
  /** Empty if none is configured, which counts as unreachable. */
  url(): string;
  readonly key: string;
  readonly timeoutMs?: number;
}

const API_VERSION = '2020-10-31';

/** PSP A over its customers API. */
export function pspA(settings: PspASettings): PspA {
  const send = sender(settings);

  const findCustomer = async (reference: string) => {
    const query = new URLSearchParams({ reference_id: reference });
    return foundOutcome(await send('find customer', 'GET', `/customers?${query}`), reference);
  };

  /** The existing customer, in place of a lost answer or one that only reports its existence. */
  const lookUp = async (
    reference: string,
    cause: Outcome<PspCustomer>,
  ): Promise<Outcome<PspCustomer>> => {
    const found = await findCustomer(reference);
    if (found.kind === 'done' && found.value !== undefined) return { ...found, value: found.value };
    return cause.kind === 'unknown' ? cause : unknown('said to exist, but not found');
  };

  return {
    findCustomer,

    async createCustomer(customer) {
      const { reference } = customer;
      const body = createRequest(customer);
      // Derived from the request, since a key is refused for any other: people's data change between two tries.
      // The provider itself prevents a second customer of the reference.
      const more = { idempotencyKey: digestOf(JSON.stringify(body)).toString('hex'), body };
      const outcome = customerOutcome(await send('create customer', 'POST', '/customers', more));
      const exists = outcome.kind === 'refused' && outcome.code === PSP_A_DUPLICATE;
      return exists || outcome.kind === 'unknown' ? lookUp(reference, outcome) : outcome;
    },

    async updateCustomer(id, { kycStatus }) {
      const body = { metadata: { kyc_status: kycStatus } };
      const path = `/customers/${encodeURIComponent(id)}`;
      return customerOutcome(await send('update customer', 'PATCH', path, { body }));
    },
  };
}

function sender({ url, key, timeoutMs }: PspASettings) {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  return async (
    name: string,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    { idempotencyKey, body }: { idempotencyKey?: string; body?: object } = {},
  ) => {
    const base = url();
    if (base === '') return { lost: 'ENOTFOUND' };
    return callHttp({
      name: `psp-a ${name}`,
      method,
      url: `${base}${path}`,
      headers: {
        authorization,
        'api-version': API_VERSION,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  };
}
