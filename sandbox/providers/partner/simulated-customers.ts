import { createHash, randomUUID } from 'node:crypto';
import type { World } from '#sandbox/simulator.ts';
import type { KycWord } from './bridge-schema.ts';
import { customerEvents } from './simulated-events.ts';

export const SIMULATED_PARTNER = 'partner';
/** How long a key is remembered; after that it is refused. */
const KEY_TTL_S = 86_400;

export interface StoredCustomer {
  readonly id: string;
  readonly type: 'individual' | 'business';
  readonly full_name: string;
  readonly email: string;
  readonly kyc_status: KycWord;
  readonly tos_status: 'pending' | 'approved';
  readonly signed_agreement_id: string | null;
  /** The link it was made by; its own id where it was made without one. */
  readonly link_id: string;
  readonly asked_endorsements: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

export interface StoredAccount {
  readonly id: string;
  readonly customer_id: string;
  readonly account_type: string;
  readonly bank_name: string;
  readonly currency: string;
  readonly active: boolean;
}

interface StoredKey {
  readonly customer_id: string;
  readonly digest: string;
  readonly used_at: number;
}

export type CustomerFields = Pick<StoredCustomer, 'type' | 'full_name' | 'email'> &
  Partial<Pick<StoredCustomer, 'asked_endorsements' | 'tos_status' | 'signed_agreement_id'>>;

/** The customer that the key stands for; nothing when it is too old or was used for something else. */
export async function createCustomerOnce(
  world: World,
  key: string,
  raw: Buffer,
  fields: CustomerFields,
): Promise<StoredCustomer | undefined> {
  const used = await useKey(world, key, raw);
  if (used === undefined) return undefined;
  const now = world.clock.now().toISOString();
  const customer: StoredCustomer = {
    asked_endorsements: ['base'],
    tos_status: 'pending',
    signed_agreement_id: null,
    ...fields,
    id: used.customer_id,
    link_id: randomUUID(),
    kyc_status: 'not_started',
    created_at: now,
    updated_at: now,
  };
  await world.records.insert(SIMULATED_PARTNER, 'customer', customer.id, customer);
  return customerBy(world, customer.id);
}

/** Which customer the key stands for; nothing when it is too old or was used for something else. */
async function useKey(world: World, key: string, raw: Buffer): Promise<StoredKey | undefined> {
  const now = world.clock.seconds();
  const digest = createHash('sha256').update(raw).digest('hex');
  const fresh: StoredKey = { customer_id: randomUUID(), digest, used_at: now };
  if (await world.records.insert(SIMULATED_PARTNER, 'key', key, fresh)) return fresh;
  const known = await world.records.get<StoredKey>(SIMULATED_PARTNER, 'key', key);
  const good = known?.digest === digest && now - known.used_at < KEY_TTL_S;
  return good ? known : undefined;
}

export const customerBy = (world: World, id: string) =>
  world.records.get<StoredCustomer>(SIMULATED_PARTNER, 'customer', id);
export const customerOfLinkId = (world: World, link_id: string) =>
  world.records.find<StoredCustomer>(SIMULATED_PARTNER, 'customer', 'link_id', link_id);

/** By its id there, or by the e-mail address that it was made with. */
export const customerNamed = async (world: World, name: string) =>
  (await customerBy(world, name)) ??
  (await world.records.find<StoredCustomer>(SIMULATED_PARTNER, 'customer', 'email', name));

/** No customer is approved without the terms. Changes are reported by webhooks. */
export async function changeCustomer(
  world: World,
  id: string,
  fields: Partial<Pick<StoredCustomer, 'kyc_status' | 'tos_status'>>,
): Promise<StoredCustomer | undefined> {
  const before = await customerBy(world, id);
  const after = await world.records.update<StoredCustomer>(
    SIMULATED_PARTNER,
    'customer',
    id,
    (customer) => ({
      ...customer,
      ...fields,
      ...(fields.tos_status === 'approved' && { signed_agreement_id: randomUUID() }),
      updated_at: world.clock.now().toISOString(),
    }),
  );
  if (before && after) customerEvents(world, shownCustomer(before), shownCustomer(after));
  return after;
}

type State = 'pending' | 'active' | 'inactive' | 'rejected';
const everyCapability = (state: State) => ({
  payin_crypto: state,
  payout_crypto: state,
  payin_fiat: state,
  payout_fiat: state,
});

/** How a customer is shown: approved by the checks and bound by the terms it is active. */
export function shownCustomer(customer: StoredCustomer) {
  const { asked_endorsements, kyc_status, tos_status, link_id: _, ...rest } = customer;
  const [first_name = '', ...names] = customer.full_name.split(/\s+/);
  const status = statusOf(customer);
  return {
    ...rest,
    first_name,
    last_name: names.join(' '),
    status,
    has_accepted_terms_of_service: tos_status === 'approved',
    capabilities: everyCapability(STATES[status] ?? 'pending'),
    endorsements: asked_endorsements.map((name) => ({
      name,
      status: status === 'active' ? 'approved' : status === 'rejected' ? 'revoked' : 'incomplete',
      requirements: { complete: [], pending: [], missing: null, issues: [] },
    })),
    requirements_due:
      status === 'rejected'
        ? []
        : ['external_account', ...(kyc_status === 'not_started' ? ['id_verification'] : [])],
    future_requirements_due: [],
    rejection_reasons: [],
  };
}
export type ShownCustomer = ReturnType<typeof shownCustomer>;

const STATES: Readonly<Record<string, State | undefined>> = {
  active: 'active',
  not_started: 'inactive',
  rejected: 'rejected',
  offboarded: 'rejected',
};

function statusOf({ kyc_status, tos_status }: StoredCustomer): string {
  if (kyc_status !== 'approved') return kyc_status;
  return tos_status === 'approved' ? 'active' : 'incomplete';
}

export const shownLink = (world: World, customer: StoredCustomer) => ({
  id: customer.link_id,
  full_name: customer.full_name,
  email: customer.email,
  type: customer.type,
  ...linksOf(world, customer),
  kyc_status: customer.kyc_status,
  tos_status: customer.tos_status,
  rejection_reasons: [],
  customer_id: customer.id,
  created_at: customer.created_at,
});

export const linksOf = (world: World, { link_id }: StoredCustomer) => ({
  kyc_link: `${world.sandboxUrl()}/partner/kyc/${link_id}`,
  tos_link: `${world.sandboxUrl()}/partner/terms/${link_id}`,
});
