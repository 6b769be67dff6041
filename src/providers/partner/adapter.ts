import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import {
  callRepeatable,
  done,
  type HttpReply,
  type Outcome,
  refused,
  unknown,
} from '#kernel/provider-call.ts';
import type { PartnerCustomer, PartnerProvider, PartnerRefusal } from './port.ts';
import { customerNewsOf, partnerVerifier } from './webhook.ts';
import {
  customerOfLink,
  linkIdOf,
  PartnerWireError,
  toCustomer,
  toRequest,
  WireCustomer,
  WireExternalAccounts,
  WireKycLink,
  WireLink,
  WireWebhooks,
} from './wire.ts';

export interface PartnerSettings {
  /** `https://api.bridge.xyz`, or `https://api.sandbox.bridge.xyz`. */
  url(): string;
  readonly apiKey: string;
  readonly clock: Clock;
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

/** Speaks Bridge's API of customers, who are made by links to its terms and its checks. */
export function partnerProvider(settings: PartnerSettings): PartnerProvider {
  const { url, clock } = settings;
  const { get, find, linkBy } = readsOf(settings);
  const isGenuine = partnerVerifier({
    clock,
    async fetchKeys() {
      const webhooks = await get(WireWebhooks, 'webhooks', '/v0/webhooks');
      return webhooks.kind === 'done' ? webhooks.value.data.map((one) => one.public_key) : [];
    },
  });

  return {
    async createCustomer(customer) {
      const created = await ask(settings, WireKycLink, {
        name: 'create',
        method: 'POST',
        path: '/v0/kyc_links',
        headers: { 'idempotency-key': customer.idempotencyKey },
        body: toRequest(customer),
      });
      if (created.kind !== 'done') return created;
      // The customer has just been made; asking for it could only lose what we know.
      return done(customerOfLink(created.value, clock.now().toISOString()));
    },

    async customer(id) {
      const linkId = linkIdOf(id);
      if (linkId === undefined) return find(id);
      const link = await linkBy(linkId);
      if (link.kind !== 'done') return link;
      const { customer_id } = link.value;
      if (!customer_id) return done(customerOfLink(link.value, clock.now().toISOString()));
      const found = await find(customer_id);
      // The customer keeps the name that it was known by first.
      return found.kind === 'done' ? done({ ...found.value, id }) : found;
    },

    async links(id) {
      const linkId = linkIdOf(id);
      if (linkId !== undefined) return linkBy(linkId);
      const of = (name: string) =>
        get(WireLink, name, `/v0/customers/${encodeURIComponent(id)}/${name}`);
      const kyc = await of('kyc_link');
      const tos = await of('tos_acceptance_link');
      if (kyc.kind !== 'done') return kyc;
      if (tos.kind !== 'done') return tos;
      return done({ kyc_link: kyc.value.url, tos_link: tos.value.url });
    },

    isGenuine,
    readWebhook: customerNewsOf,

    mode: () => modeOf(url()),
  };
}

function readsOf(settings: PartnerSettings) {
  const get = <S extends TSchema>(schema: S, name: string, path: string) =>
    ask(settings, schema, { name, method: 'GET', path });

  /** The customer's bank accounts are a resource of their own there. */
  async function complete(customer: WireCustomer): Promise<Outcome<PartnerCustomer>> {
    const id = encodeURIComponent(customer.id);
    const path = `/v0/customers/${id}/external_accounts?limit=${ACCOUNTS_MAX}`;
    const accounts = await get(WireExternalAccounts, 'accounts', path);
    return accounts.kind === 'done' ? done(toCustomer(customer, accounts.value.data)) : accounts;
  }

  return {
    get,
    linkBy: (id: string) => get(WireKycLink, 'link', `/v0/kyc_links/${encodeURIComponent(id)}`),
    async find(id: string): Promise<Outcome<PartnerCustomer>> {
      const found = await get(WireCustomer, 'get', `/v0/customers/${encodeURIComponent(id)}`);
      return found.kind === 'done' ? complete(found.value) : found;
    },
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
