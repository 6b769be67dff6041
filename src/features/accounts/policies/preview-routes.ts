import { Type } from 'typebox';
import { clientScopeOf, requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  integerInput,
  Nullable,
  oneOfWords,
  stamped,
  TextOrNull,
  text,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { CurrencyField, MoneyInput, moneyOf } from '#kernel/money/amount-fields.ts';
import { objectId } from '#kernel/object-id.ts';
import { type Assessed, assess, factsOf, limitUseOf } from '#kernel/policies/assess.ts';
import { previewDecision } from '#kernel/policies/decision-store.ts';
import { type PolicyOperation, usdCentsOf } from '#kernel/policies/operation.ts';
import {
  type AppliedPolicy,
  abilitiesOf,
  POLICY_KINDS,
  type PolicyKind,
  policyVerdictOf,
} from '#kernel/policies/policy.ts';
import { findPolicy } from '#kernel/policies/policy-store.ts';
import { usedOf } from '#kernel/policies/sums-store.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { Verdicts } from './shapes.ts';

const endpoint = endpoints(codedEnvelope);

export interface SimulateDeps extends Pick<Kernel, 'clock'> {
  readonly fx: ExchangeRates;
}

const Found = named('SimulatedPolicy', {
  policy_id: objectIdField('pol'),
  name: Type.String(),
  matched: explained(Type.Boolean(), 'Whether it applies to the operation'),
  unmet: explained(
    TextOrNull,
    'Why it does not apply: the first part of its expression that does not hold. Or why it stops the operation',
  ),
});

/** Of kinds whose operations all have other names. */
const FIRST_OPS: Partial<Record<PolicyKind, string>> = {
  transfer: 'wallet_transfer',
  request: 'payment_request',
  bridge: 'bridge_transfer',
  send: 'onchain_send',
  agent: 'agent_send',
};

const Operation = Type.Object({
  kind: oneOfWords(POLICY_KINDS),
  op: Type.Optional(
    explained(
      text(40),
      'As expressions see it, such as `card_push`; without it the first operation of the kind, such as `wallet_transfer`',
    ),
  ),
  amount: MoneyInput,
  currency: CurrencyField,
  user_id: IdInput,
  wallet_id: Type.Optional(IdInput),
  recipient_id: Type.Optional(text(200)),
  recipient: Type.Optional(
    Type.Object({
      kind: Type.Optional(text(40)),
      country: Type.Optional(text(2)),
      age_h: Type.Optional(integerInput(0, 1_000_000)),
      verification: Type.Optional(text(40)),
      is_new: Type.Optional(Type.Boolean()),
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 20,
      additionalProperties: { type: 'string', maxLength: 500 },
      examples: [{ order: '4711' }],
    }),
  ),
});

/** What the policies would make of one operation, and of which a draft would decide. */
export const simulateRoute = ({ clock, fx }: SimulateDeps): Route =>
  endpoint('POST /policies/simulate', {
    name: 'policies.simulate',
    team: 'settings:read',
    auth: 'admin',
    errors: ['NOT_FOUND', 'USER_NOT_FOUND'],
    summary: 'Says what the policies would make of an operation, without doing it',
    body: Type.Object({
      operation: Operation,
      draft: Type.Optional(explained(objectIdInput('pol'), 'A draft that counts as published')),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          verdict: Verdicts,
          decided_by: explained(Nullable(Found), 'Null where it is allowed'),
          others: Type.Array(Found),
        }),
      }),
    },
    fault: 'Failed to simulate it',
    async handler({ caller, body: { operation: asked, draft }, db }) {
      const user = await requireUser(db, tenantScopeOf(caller), asked.user_id);
      const market = await fx.read();
      const operation: PolicyOperation = {
        kind: asked.kind,
        op: asked.op ?? FIRST_OPS[asked.kind] ?? asked.kind,
        operation: '',
        client_id: user.client_id,
        user_id: user.user_id,
        amount: moneyOf(asked),
        market: market.kind === 'done' ? market.value : undefined,
        metadata: asked.metadata ?? {},
        ...(asked.wallet_id && { wallet: { id: asked.wallet_id, currency: asked.currency } }),
        ...((asked.recipient_id || asked.recipient) && {
          recipient: { kind: '', id: asked.recipient_id ?? '', ...present(asked.recipient ?? {}) },
        }),
        object: { type: '', id: '', summary: '', content: null },
      };
      const extra =
        draft === undefined ? undefined : await findPolicy(db, clientScopeOf(caller), draft);
      if (draft !== undefined && !extra) throw fail('NOT_FOUND', 'Policy not found');
      const rules = extra?.applies_to.includes(asked.kind) ? [extra] : [];
      return { data: await simulated(db, operation, rules, clock.now()) };
    },
  });

const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

async function simulated(
  db: Db,
  operation: PolicyOperation,
  drafts: readonly Assessed['rule'][],
  now: Date,
) {
  const opened = await previewDecision(db, operation, { now, cents: usdCentsOf(operation) });
  if (!opened) throw fail('USER_NOT_FOUND', 'User not found');
  const facts = factsOf(operation, opened);
  const known = opened.policies.map(({ policy_id }) => policy_id);
  const rules = [
    ...opened.policies,
    ...drafts.filter(({ policy_id }) => !known.includes(policy_id)),
  ];
  const all: Assessed[] = [];
  for (const one of assess(rules, facts, abilitiesOf(operation.kind, true)))
    all.push(await withUse(db, operation, one, now));
  const { verdict, by } = policyVerdictOf(all.flatMap(({ applied }) => applied ?? []));
  const shown = all.map(({ rule, condition, applied }) => ({
    policy_id: objectId('pol', rule.policy_id),
    name: rule.name,
    matched: applied !== null,
    unmet: applied === null ? condition.unmet(facts) : whyOf(applied),
  }));
  const decider = by && objectId('pol', by.policy_id);
  return {
    verdict,
    decided_by: shown.find(({ policy_id }) => policy_id === decider) ?? null,
    others: shown.filter(({ policy_id }) => policy_id !== decider),
  };
}

const WHY = {
  DENY: 'it denies',
  LIMIT: 'its limit would be passed',
  STEP_UP: 'it needs a proof',
  APPROVE: 'it needs an approval',
  HOLD: 'it is held for a time',
} as const;

const whyOf = ({ asks, stops, why }: AppliedPolicy): string | null =>
  stops ? (why ?? WHY[asks]) : null;

/** A limit with what has been used of it so far. */
async function withUse(
  db: Db,
  operation: PolicyOperation,
  one: Assessed,
  now: Date,
): Promise<Assessed> {
  const { rule, applied } = one;
  if (applied?.asks !== 'LIMIT' || !('limit' in rule.outcome)) return one;
  const use = limitUseOf(rule, rule.outcome.limit, { ...operation, payments: 1 }, now);
  if (use === undefined) return { ...one, applied: null };
  if (use === 'unpriced') return { ...one, applied: { ...applied, asks: 'DENY', stops: true } };
  const { taking } = use;
  const used = await usedOf(db, taking, taking.of);
  const adds = taking.of === 'amount' ? BigInt(taking.amount) : 1n;
  return { ...one, applied: { ...applied, stops: used + adds > taking.most } };
}
