import { type Static, Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import {
  checkUrl,
  newSecret,
  rotated,
  type Secret,
  withoutQuery,
} from '#features/messaging/webhooks/webhooks.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  at,
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  explained,
  Id,
  integerInput,
  Nullable,
  stamped,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { MoneyText, moneyInput, moneyOf } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import type { AskDeps } from './ask.ts';
import {
  changeDecisionWebhook,
  type DecisionWebhook,
  decisionSecretContext,
  deleteDecisionWebhook,
  findDecisionWebhook,
  insertDecisionWebhook,
  lockDecisionWebhook,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);

const DAY_MS = 86_400_000;
const TIMEOUT_MS = { least: 200, most: 1000 };

const decline = Type.Optional(
  explained(Type.Boolean({ const: true }), 'Declines whatever was not answered'),
);
const Sent = {
  url: Type.String({ maxLength: 2048, examples: ['https://example.com/card-decisions'] }),
  timeout_ms: explained(
    integerInput(TIMEOUT_MS.least, TIMEOUT_MS.most),
    'How long your system has for its answer',
  ),
  fallback: explained(
    named('CardDecisionFallbackInput', {
      decline,
      approve_within: Type.Optional(named('CardDecisionCeilingInput', moneyInput)),
    }),
    'What counts without an answer: one of the two',
  ),
};
type Sent = Static<ReturnType<typeof Type.Object<typeof Sent>>>;

const ShownWebhook = named('CardDecisionWebhook', {
  client_id: Id,
  url: Type.String(),
  timeout_ms: Type.Integer(),
  fallback: named('CardDecisionFallback', {
    decline,
    approve_within: Type.Optional(
      named('CardDecisionCeiling', { amount: MoneyText, currency: Type.String() }),
    ),
  }),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
const SecretText = explained(Type.String(), '`whsec_`: verify what arrives with it');

type Deps = Pick<AskDeps, 'clock' | 'vault' | 'outbound'>;

/** A client's own system, asked in real time whether a card pays. */
export const decisionWebhookRoutes = (deps: Deps): Route[] => [
  readRoute,
  putRoute(deps),
  deleteRoute,
];

const readRoute = endpoint('GET /cards/decision-webhook', {
  name: 'decisionWebhook.get',
  auth: 'admin',
  errors: ['NOT_FOUND'],
  summary: 'Shows where your system is asked about cards',
  reply: { 200: stamped({ data: ShownWebhook }) },
  fault: 'Failed to read the decision webhook',
  async handler({ caller, db }) {
    const webhook = await findDecisionWebhook(db, caller.client_id);
    if (!webhook) throw notFound();
    return { data: shown(webhook) };
  },
});

const putRoute = (deps: Deps): Route =>
  endpoint('PUT /cards/decision-webhook', {
    name: 'decisionWebhook.set',
    auth: 'admin',
    proof: true,
    movesMoney: true,
    errors: ['CONFLICT', 'VERSION_CONFLICT'],
    summary: 'Says where your system is asked about cards; a new one tells its secret',
    body: Type.Object({
      ...Sent,
      rotate_secret: Type.Optional(
        explained(Type.Boolean(), 'Makes another secret; the one before signs along for a day'),
      ),
      version: Type.Optional(integerInput(1, ID_MAX)),
    }),
    example: {
      url: 'https://example.com/card-decisions',
      timeout_ms: 500,
      fallback: { decline: true },
    },
    reply: {
      200: stamped({
        data: Type.Object({
          ...ShownWebhook.properties,
          secret: secret(Nullable(SecretText)),
        }),
      }),
      201: stamped({
        data: Type.Object({ ...ShownWebhook.properties, secret: secret(SecretText) }),
      }),
    },
    atomic: true,
    fault: 'Failed to change the decision webhook',
    async handler({ caller, body, request, db }) {
      checkUrl(deps.outbound, body.url);
      const { client_id } = caller;
      const before = await lockDecisionWebhook(db, client_id);
      requireVersion(before?.version ?? 0, versionMeant(body, request.headers));
      const settings = { client_id, ...settingsOf(body) };
      if (before) {
        const kept = secretsAfter(deps, before, body.rotate_secret ?? false);
        const webhook = await changeDecisionWebhook(db, { ...settings, ...kept.row });
        const data = shown(webhook ?? before);
        await record(db, { caller, request }, 'CHANGED', body.url);
        return { data: { ...data, secret: kept.made } };
      }
      const made = newSecret();
      const secrets_sealed = seal(deps, client_id, [{ secret: made, not_after: null }]);
      const webhook = await insertDecisionWebhook(db, { ...settings, secrets_sealed });
      if (!webhook) throw fail('CONFLICT', 'The request is under way');
      await record(db, { caller, request }, 'SET', body.url);
      return at(201, { data: { ...shown(webhook), secret: made } });
    },
  });

const deleteRoute = endpoint('DELETE /cards/decision-webhook', {
  name: 'decisionWebhook.delete',
  auth: 'admin',
  proof: true,
  errors: ['NOT_FOUND'],
  summary: 'Asks your system about cards no more: the rules decide alone',
  reply: { 200: stamped({ data: ShownWebhook }) },
  atomic: true,
  fault: 'Failed to delete the decision webhook',
  async handler({ caller, request, db }) {
    const webhook = await lockDecisionWebhook(db, caller.client_id);
    if (!webhook) throw notFound();
    await deleteDecisionWebhook(db, caller.client_id);
    await record(db, { caller, request }, 'DELETED', webhook.url);
    return { data: shown(webhook) };
  },
});

const notFound = () => fail('NOT_FOUND', 'There is no decision webhook');

const seal = ({ vault }: Pick<Deps, 'vault'>, client_id: number, secrets: readonly Secret[]) =>
  vault.seal(JSON.stringify(secrets), decisionSecretContext(client_id));

function secretsAfter(deps: Deps, before: DecisionWebhook, isRotated: boolean) {
  const { client_id, secrets_sealed } = before;
  if (!isRotated) return { row: { secrets_sealed }, made: null };
  const now = deps.clock.now();
  const known: Secret[] = JSON.parse(
    deps.vault.open(secrets_sealed, decisionSecretContext(client_id)),
  );
  const made = newSecret();
  const secrets = rotated(known, made, new Date(now.getTime() + DAY_MS), now);
  return { row: { secrets_sealed: seal(deps, client_id, secrets) }, made };
}

function settingsOf({ url, timeout_ms, fallback }: Sent) {
  const within = fallback.approve_within;
  if ((fallback.decline === undefined) === (within === undefined))
    throw wrongField('fallback', 'must have either decline or approve_within');
  const most = within && moneyOf(within, 'fallback.approve_within.amount');
  return {
    url,
    timeout_ms,
    fallback_amount: most?.units ?? null,
    fallback_currency: most?.asset ?? null,
  };
}

function shown(webhook: DecisionWebhook): Static<typeof ShownWebhook> {
  const { client_id, url, timeout_ms, version, created_at, updated_at } = webhook;
  const { fallback_amount: units, fallback_currency: asset } = webhook;
  const fallback =
    units === null || asset === null
      ? { decline: true }
      : { approve_within: { amount: format({ asset, units }), currency: asset } };
  return { client_id, url, timeout_ms, fallback, version, created_at, updated_at };
}

const record = (
  tx: Db,
  by: { readonly caller: UserCaller; readonly request: RequestFacts },
  what: string,
  url: string,
) =>
  logActivity(tx, {
    action: `CARD_DECISION_WEBHOOK_${what}`,
    actor: by.caller,
    details: { url: withoutQuery(url) },
    request: by.request,
  });
