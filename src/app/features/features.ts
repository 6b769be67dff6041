import { createApprovals } from '#features/accounts/approvals/approvals.ts';
import { createPasswordGuesses } from '#features/accounts/password-guesses/password-guesses.ts';
import { createPspCustomers } from '#features/accounts/psp-customers/psp-customers.ts';
import { createSecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import { createTools, keyScopesOfTools } from '#features/commerce/mcp-server/mcp-server.ts';
import { createCardMoney } from '#features/fiat/cards/cards.ts';
import { openFirstWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { createActivity } from '#features/messaging/activity/activity.ts';
import { createEvents } from '#features/messaging/events/events.ts';
import { createFiles } from '#features/messaging/files/files.ts';
import { createMessageReports } from '#features/messaging/message-reports/message-reports.ts';
import { createMessages } from '#features/messaging/messages/messages.ts';
import { createPayments } from '#features/messaging/payments/payments.ts';
import { createWebhooks } from '#features/messaging/webhooks/webhooks.ts';
import { createAttempts } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import { type Composition, composeFeatures, type Feature } from '#kernel/feature.ts';
import { createPerform } from '#kernel/http/answer/perform.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { lazy } from '#kernel/lazy.ts';
import { createMessageQuotas } from '#kernel/quota/message-quotas.ts';
import { createLoginGuards } from '../login-guards.ts';
import { backOfficeSources } from '../operate/back-office-sources.ts';
import type { Providers } from '../providers.ts';
import { withTeamMarks } from '../team-areas.ts';
import { accountFeatures } from './accounts.ts';
import { bankingFeatures } from './banking.ts';
import { chainFeatures } from './chain-wallets.ts';
import { commerceFeatures } from './commerce.ts';
import { fiatFeatures } from './fiat.ts';
import { operatorFeatures } from './operator.ts';
import { rampFeatures } from './ramps.ts';

/** Everything the features bring along. */
export interface Features extends Composition {
  /** What every new user gets, in the transaction that makes them. */
  afterUser(tx: Db, user: { user_id: number; client_id: number }): Promise<void>;
}

/** The composition of all features, and `more`: each is handed what it needs and nothing else. */
export function createFeatures(
  kernel: Kernel,
  providers: Providers,
  more: readonly Feature[] = [],
): Features {
  const attempts = createAttempts(kernel);
  const messageQuotas = createMessageQuotas(kernel.config, kernel.quotas);
  const messages = createMessages({ ...kernel, ...providers, messageQuotas });
  const guesses = createPasswordGuesses({ ...kernel, attempts, messages });
  const notices = createSecurityNotices({ ...kernel, messages });
  const pspCustomers = createPspCustomers({ ...kernel, pspA: providers.pspA });
  const guards = createLoginGuards(kernel, { attempts, messages, guesses, notices });
  const access = { ...kernel, ...guards };
  const { fx, cards: network } = providers;
  const cardMoney = createCardMoney({ ...kernel, attempts, fx, network });
  const payouts = createPayouts({ ...kernel, ...providers });
  const catalogue = lazy(() => catalogueOf(composition.events));
  const sources = backOfficeSources(kernel, () => composition);
  const routes = () => composition.routes;
  const tools = createTools(createPerform(kernel, routes), routes);
  const approvals = createApprovals({ ...kernel, subjects: () => composition.approvals });
  const files = createFiles({ ...kernel, uses: () => composition.fileUses });
  const leaving = {
    personData: () => composition.personData,
    closingChecks: () => composition.closing,
  };
  const messageReports = createMessageReports({ ...kernel, ...providers });
  const payments = () => composition.payments;
  const onChains = chainFeatures(kernel, providers, { notices, payments });
  const composed = composeFeatures([
    ...accountFeatures(
      providers,
      { ...access, messageReports, keyScopesOf: (words) => keyScopesOfTools(tools, words) },
      { pspCustomers, files, ...leaving },
    ),
    approvals,
    guesses,
    notices,
    pspCustomers,
    ...onChains.features,
    ...fiatFeatures(kernel, providers, { cardMoney, payouts, holds: () => composition.holds }),
    ...rampFeatures(kernel, providers, { cardMoney, payouts, legs: onChains.legs }),
    ...bankingFeatures(kernel, providers, { messages, payouts, approvals, files }),
    ...commerceFeatures(kernel, providers, { messages, payouts, cardMoney, files, tools }),
    createEvents({ ...kernel, types: () => composition.events }),
    createWebhooks({ ...kernel, messages, catalogue, freshProof: guards.freshProof }),
    createPayments({ ...kernel, ...sources, objects: payments }),
    createActivity(kernel),
    messages,
    files,
    messageReports,
    ...operatorFeatures(access, { messages, approvals, sources, composition: () => composition }),
    ...more,
  ]);
  const composition: Composition = { ...composed, routes: withTeamMarks(composed.routes) };
  return { ...composition, afterUser: openFirstWallet };
}
