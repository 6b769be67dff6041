import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { requireVersion } from '#kernel/http/declare/if-match.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import {
  changePolicy,
  countAdmins,
  isSecondAdmin,
  lockPolicy,
  type Policy,
  type PolicyAct,
  type PolicyScope,
} from '#kernel/policies/policy-store.ts';
import { namedPolicy } from './events.ts';
import { mailSoleAdmin } from './mails.ts';
import { type PolicyActor, recordPolicy } from './record.ts';
import type { NamedPolicy } from './shapes.ts';
import { readPolicy, requireRoom } from './written.ts';

export interface PublishDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly config: Pick<Config, 'SECOND_PERSON_DAYS' | 'OPERATOR_2FA'>;
  readonly messages: Pick<Messages, 'send'>;
}

export interface PolicyActing extends PolicyActor {
  readonly act: PolicyAct;
  readonly policy_id: string;
  readonly scope: PolicyScope;
  readonly version: number;
}

const BEGINS: Readonly<Record<PolicyAct, Policy['status']>> = {
  publish: 'DRAFT',
  retire: 'PUBLISHED',
};
const DAY_MS = 24 * 3600_000;

/**
 * Publishes or retires a policy, by another admin than its last editor. Where a client has one active admin, that
 * one's word takes effect a day later, and is mailed. Throws NOT_FOUND, INVALID_STATUS, VERSION_CONFLICT and
 * SECOND_PERSON_REQUIRED.
 */
export async function actOnPolicy(
  deps: PublishDeps,
  tx: Db,
  { act, policy_id, scope, version, ...by }: PolicyActing,
): Promise<NamedPolicy> {
  const policy = await lockPolicy(tx, scope, policy_id);
  if (!policy) throw fail('NOT_FOUND', 'Policy not found');
  const begins = BEGINS[act];
  if (policy.status !== begins && wasReached(policy, act))
    return namedPolicy(tx, policy, namesReaderOf(by.caller));
  if (policy.status !== begins) throw notAllowedIn(policy.status, [begins]);
  requireVersion(policy.version, version);
  if (act === 'publish') await requirePublishable(tx, policy);
  const second = by.caller.user_id;
  const first = policy.edited_by;
  if (first === null || (await isOther(deps, tx, policy, second)))
    return take(deps, tx, policy, { act, by });
  const { own } = await countAdmins(tx, policy.client_id);
  if (second !== first || own > 1)
    throw fail(
      'SECOND_PERSON_REQUIRED',
      'Another admin than its last editor has to do it, whose account was there before',
    );
  if (policy.pending === act) return namedPolicy(tx, policy, namesReaderOf(by.caller));
  const pending_at = new Date(deps.clock.now().getTime() + DAY_MS).toISOString();
  const asked = await changePolicy(tx, policy, { pending: act, pending_by: second, pending_at });
  const announced = await recordPolicy(tx, 'announced', asked, by);
  await mailSoleAdmin(deps, tx, asked);
  return announced;
}

const NAMES = { publish: 'PUBLISHED', retire: 'RETIRED' } as const;

const wasReached = ({ status }: Policy, act: PolicyAct): boolean => status === NAMES[act];

/** The text was right when it was written; who may approve has perhaps left since. */
async function requirePublishable(
  tx: Db,
  { client_id, name, applies_to, condition, outcome, priority }: Policy,
): Promise<void> {
  await requireRoom(tx, client_id, 'published');
  const written = { name, applies_to, when: condition, priority };
  await readPolicy(tx, client_id, { ...written, then: outcome as never });
}

/** Of the operator's policies by the operator's rule of two people. */
const isOther = (
  { config }: PublishDeps,
  tx: Db,
  { client_id, edited_at, edited_by }: Policy,
  second: number,
): Promise<boolean> => {
  const isOperators = client_id === null || client_id === 1;
  const days = isOperators ? config.SECOND_PERSON_DAYS : 0;
  const since = new Date(new Date(edited_at).getTime() - days * DAY_MS).toISOString();
  const withFactor = isOperators && config.OPERATOR_2FA === 'required';
  return isSecondAdmin(tx, { first: edited_by ?? 0, second }, { since, withFactor, client_id });
};

interface SumTaking {
  readonly act: PolicyAct;
  readonly by: PolicyActor | null;
}

async function take(
  { clock }: Pick<PublishDeps, 'clock'>,
  tx: Db,
  policy: Policy,
  { act, by }: SumTaking,
): Promise<NamedPolicy> {
  const at = clock.now().toISOString();
  const who = by?.caller.user_id ?? policy.pending_by;
  const changed =
    act === 'publish'
      ? ({ status: 'PUBLISHED', published_by: who, published_at: at } as const)
      : ({ status: 'RETIRED', retired_by: who, retired_at: at } as const);
  const none = { pending: null, pending_by: null, pending_at: null };
  const row = await changePolicy(tx, policy, { ...changed, ...none, updated_at: at });
  return recordPolicy(tx, act === 'publish' ? 'published' : 'retired', row, by);
}

/** What the one admin of a client asked for a day ago, unless it was changed or the admin has gone. */
export async function takeDuePolicy(
  deps: Pick<PublishDeps, 'clock'>,
  tx: Db,
  policy: Policy,
): Promise<void> {
  if (policy.pending === null || policy.status !== BEGINS[policy.pending]) return;
  await take(deps, tx, policy, { act: policy.pending, by: null });
}
