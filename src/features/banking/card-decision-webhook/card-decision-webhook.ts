import { webhookRules } from '#features/messaging/webhooks/webhooks.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { createOutbound } from '#kernel/outbound/outbound.ts';
import { askClient, type ClientAnswer, type ClientQuestion } from './ask.ts';
import { CARD_DECISION_WEBHOOK_WORDS } from './reference.ts';
import { decisionWebhookRoutes } from './routes.ts';
import { type DecisionWebhook, findDecisionWebhook } from './store.ts';

export type { ClientAnswer } from './ask.ts';
export { type DecisionWebhook, SEALED_DECISION_WEBHOOKS } from './store.ts';

/** Asks clients' own systems whether a card pays. */
export interface ClientDecisions {
  /** Undefined where the client has named none. */
  webhookOf(db: Db, client_id: number): Promise<DecisionWebhook | undefined>;
  ask(webhook: DecisionWebhook, question: ClientQuestion): Promise<ClientAnswer>;
}

type Given = Pick<Kernel, 'clock' | 'config' | 'metrics' | 'shares' | 'vault'>;

/** Where a client's own system is asked about cards, and how. */
export function createCardDecisionWebhook({
  config,
  metrics,
  ...given
}: Given): Feature & ClientDecisions {
  const connections = given.shares.ceilings.decisions.total;
  const deps = { ...given, outbound: createOutbound({ ...webhookRules(config), connections }) };
  const count = metrics.counter(
    'archipay_card_decision_webhooks',
    'Questions to clients’ own systems about cards, by what came of them',
    ['answer'],
  );
  return {
    name: 'card-decision-webhook',
    reference: CARD_DECISION_WEBHOOK_WORDS,
    routes: decisionWebhookRoutes(deps),
    webhookOf: findDecisionWebhook,
    async ask(webhook, question) {
      const answer = await askClient(deps, webhook, question);
      count({ answer: answer.said });
      return answer;
    },
  };
}
