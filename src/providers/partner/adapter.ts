import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  callRepeatable,
  done,
  type HttpReply,
  type Outcome,
  refused,
  unknown,
} from '#kernel/provider-call.ts';
import type { PartnerCustomer, PartnerProvider, PartnerRefusal } from './port.ts';
import {
  PartnerWireError,
  toCustomer,
  toRequest,
  WireCustomer,
  WireExternalAccounts,
} from './wire.ts';

export interface PartnerSettings {
  /** `https://api.bridge.xyz`, or `https://api.sandbox.bridge.xyz`. */
  url(): string;
  readonly apiKey: string;
  readonly timeoutMs?: number;
}

interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 8000;
const ACCOUNTS_MAX = 100;

/** Speaks Bridge's customer API. */
export function partnerProvider(settings: PartnerSettings): PartnerProvider {
  const { url } = settings;

  /** The customer's bank accounts are a resource of their own there. */
  async function complete(customer: WireCustomer): Promise<Outcome<PartnerCustomer>> {
    const id = encodeURIComponent(customer.id);
    const path = `/v0/customers/${id}/external_accounts?limit=${ACCOUNTS_MAX}`;
    const accounts = await ask(settings, WireExternalAccounts, {
      name: 'accounts',
      method: 'GET',
      path,
    });
    return accounts.kind === 'done' ? done(toCustomer(customer, accounts.value.data)) : accounts;
  }

  return {
    async createCustomer(customer) {
      const created = await ask(settings, WireCustomer, {
        name: 'create',
        method: 'POST',
        path: '/v0/customers',
        headers: {
          'idempotency-key': customer.idempotencyKey,
          // A customer has no field for our own id; a header does no harm where it is not known.
          'x-client-reference': customer.reference,
        },
        body: toRequest(customer),
      });
      // A customer that has just been made has no accounts; asking could only lose what we know.
      return created.kind === 'done' ? done(toCustomer(created.value, [])) : created;
    },

    async customer(id) {
      const path = `/v0/customers/${encodeURIComponent(id)}`;
      const found = await ask(settings, WireCustomer, { name: 'get', method: 'GET', path });
      return found.kind === 'done' ? complete(found.value) : found;
    },

    mode: () => modeOf(url()),
  };
}

/** An address that is not known to be a sandbox counts as production. */
function modeOf(url: string): 'sandbox' | 'production' {
  const hostname = URL.parse(url)?.hostname ?? '';
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return local || /(^|[.-])sandbox([.-]|$)/.test(hostname) ? 'sandbox' : 'production';
}

async function ask<S extends TSchema>(
  { url, apiKey, timeoutMs = TIMEOUT_MS }: PartnerSettings,
  schema: S,
  { name, method, path, body, headers }: Call,
): Promise<Outcome<Static<S>>> {
  // Reads may be repeated, and so may a creation under its key.
  const reply = await callRepeatable(() => ({
    name: `partner ${name}`,
    method,
    url: `${url()}${path}`,
    headers: { 'api-key': apiKey, ...headers },
    ...(body === undefined ? {} : { body }),
    timeoutMs,
  }));
  return 'lost' in reply ? unknown(reply.lost) : read(schema, reply);
}

function read<S extends TSchema>(schema: S, { status, json }: HttpReply): Outcome<Static<S>> {
  if (status >= 200 && status < 300)
    return Value.Check(schema, json) ? done(json) : unknown('an answer of another shape');
  const message = Value.Check(PartnerWireError, json) ? json.message : `Status ${status}`;
  return refused(REFUSALS[status] ?? 'INVALID_PARAMS', message, status);
}

const REFUSALS: Readonly<Record<number, PartnerRefusal | undefined>> = {
  401: 'UNAUTHORIZED',
  403: 'UNAUTHORIZED',
  404: 'CUSTOMER_NOT_FOUND',
  422: 'KEY_REFUSED',
  429: 'RATE_LIMITED',
};
