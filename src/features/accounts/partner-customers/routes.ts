import { Type } from 'typebox';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput, Json, Nullable, Timestamp } from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Logger } from '#kernel/log.ts';
import { isNotConfigured, notConfigured, type Outcome } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import type { PartnerCustomer, PartnerProvider } from '#providers/partner/port.ts';
import { isOfCapability } from './changes.ts';
import type { Onboard } from './onboard.ts';
import { findCustomer } from './store.ts';
import { takeOverCustomer } from './sync.ts';

export type PartnerDeps = Pick<Kernel, 'clock' | 'log'> & {
  readonly partner: PartnerProvider;
  readonly onboard: Onboard;
};

const endpoint = endpoints(errorEnvelope);
const OfUser = Type.Object({ user_id: IdInput });
const NO_USER = 'user_id is required';

const Capability = named('PartnerCapability', {
  id: Type.String(),
  status: Type.String(),
  supported_currencies: Type.Array(Type.String()),
});
const ExternalAccount = named('PartnerAccount', {
  id: Type.String(),
  type: Type.String(),
  status: Type.String(),
  currency: Type.String(),
});
const customer = {
  id: Type.String(),
  status: Type.String(),
  type: Type.String(),
  kyc_status: Type.String(),
  capabilities: Type.Array(Capability),
  external_accounts: Type.Array(ExternalAccount),
  created_at: Timestamp,
};
const Onboarded = Type.Object({ ...customer, signed_agreement_id: Nullable(Type.String()) });
const Status = Type.Object({
  ...customer,
  verification: Type.Object({
    identity_status: Type.String(),
    documents_status: Type.String(),
    risk_assessment: Type.String(),
  }),
  updated_at: Timestamp,
});
const Synced = Type.Object({
  user_id: Id,
  pspb_customer_id: Type.String(),
  sync_status: Type.String(),
  previous_status: Type.String(),
  current_status: Type.String(),
  capabilities_updated: Type.Boolean(),
  changes_detected: Type.Array(Type.Object({ field: Type.String(), from: Json, to: Json })),
  sync_timestamp: Timestamp,
});

/** Users as customers of the partner PSP (contract: Partner PSP customers). */
export const partnerRoutes = (deps: PartnerDeps): Route[] => [
  ...customerRoutes(deps),
  ...linkRoutes(deps),
];

const customerRoutes = ({ clock, log, partner, onboard }: PartnerDeps): Route[] => [
  endpoint('POST /pspb/customers', {
    name: 'partnerCustomers.create',
    auth: 'user',
    errors: ['USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Makes a user a customer of the partner, or answers the one there is',
    body: OfUser,
    invalid: NO_USER,
    reply: { 200: Onboarded },
    fault: 'Failed to onboard the customer',
    async handler({ caller, body, request, db }) {
      const user = await requireUser(db, tenantScopeOf(caller), body.user_id);
      return shown(await onboard(user, { caller, request }));
    },
  }),

  endpoint('GET /pspb/status', {
    name: 'partnerCustomers.getStatus',
    auth: 'user',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
    summary: 'A customer as it stands at the partner now',
    query: OfUser,
    invalid: NO_USER,
    reply: { 200: Status },
    fault: 'Failed to read the customer status',
    async handler({ caller, query, db }) {
      const known = await findCustomer(db, tenantScopeOf(caller), query.user_id);
      if (!known) throw notOnboarded();
      const outcome = await partner.customer(known.customer_id);
      return shown(settled(outcome, log, 'Failed to read the customer status'));
    },
  }),

  endpoint('GET /pspb/status/sync', {
    name: 'partnerCustomers.syncStatus',
    auth: 'user',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
    summary: 'Reads a customer at the partner, stores it and answers the changes since',
    query: OfUser,
    invalid: NO_USER,
    reply: { 200: Synced },
    fault: 'Failed to sync the customer status',
    async handler({ caller, query, db }) {
      const { user_id } = query;
      const known = await findCustomer(db, tenantScopeOf(caller), user_id);
      if (!known) throw notOnboarded();
      const asked = clock.now();
      const outcome = await partner.customer(known.customer_id);
      const current = settled(outcome, log, 'Failed to sync the customer status');
      const { previous, changes } = await transact(db, (tx) =>
        takeOverCustomer(tx, { user_id, current, askedAt: asked }),
      );
      return {
        user_id,
        pspb_customer_id: current.id,
        sync_status: 'success',
        previous_status: previous.status,
        current_status: current.status,
        capabilities_updated: changes.some(isOfCapability),
        changes_detected: [...changes],
        sync_timestamp: asked.toISOString(),
      };
    },
  }),
];

const linkRoutes = ({ log, partner }: PartnerDeps): Route[] => [
  endpoint('GET /pspb/links', {
    name: 'partnerCustomers.getLinks',
    auth: 'user',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
    summary: 'Where the person accepts the partner’s terms and proves who they are',
    query: OfUser,
    invalid: NO_USER,
    reply: {
      200: Type.Object({ tos_link: secret(Type.String()), kyc_link: secret(Type.String()) }),
    },
    fault: 'Failed to read the links',
    async handler({ caller, query, db }) {
      const known = await findCustomer(db, tenantScopeOf(caller), query.user_id);
      if (!known) throw notOnboarded();
      return settled(await partner.links(known.customer_id), log, 'Failed to read the links');
    },
  }),

  endpoint('GET /pspb/mode', {
    name: 'partnerCustomers.getMode',
    auth: 'user',
    summary: 'Whether the partner is its sandbox or the real thing',
    reply: { 200: Type.Object({ mode: Type.String() }) },
    fault: 'Failed to read the mode',
    handler: async () => ({ mode: partner.mode() }),
  }),
];

/** The reply schemas pick the fields that each endpoint shows. */
const shown = ({ capabilities, external_accounts, ...customer }: PartnerCustomer) => ({
  ...customer,
  capabilities: capabilities.map(({ supported_currencies, ...capability }) => ({
    ...capability,
    supported_currencies: [...supported_currencies],
  })),
  external_accounts: [...external_accounts],
});

const notOnboarded = (): AppError => fail('NOT_FOUND', 'User not onboarded');

/** The partner's customer, or the contract's error for an unknown one. */
function settled<T>(outcome: Outcome<T>, log: Logger, fault: string): T {
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'refused' && outcome.code === 'CUSTOMER_NOT_FOUND') throw notOnboarded();
  if (isNotConfigured(outcome)) throw notConfigured('The partner');
  log.warn({ outcome }, 'the partner did not answer');
  throw fail('PROVIDER_UNAVAILABLE', fault, {
    details: 'The partner cannot be reached at the moment',
    retryAfter: 5,
  });
}
